package paper

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// interrupted returns the data of a run, its checkpoint and the file of that.
func interrupted(t testing.TB) (data train.Data, path string, file []byte) {
	t.Helper()
	data, path = fixture(t, 100), filepath.Join(t.TempDir(), "run.ckpt")
	ctx, cancel := context.WithCancel(context.Background())
	stop := train.Environment{Progress: func(train.Event) { cancel() }}
	if _, err := at(short, path).Fit(ctx, data, stop); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data, path, file
}

func TestCheckpointsOfOthersAreRefused(t *testing.T) {
	data, path, genuine := interrupted(t)
	refuse := func(what, says string, o Recipe, data train.Data) {
		t.Helper()
		_, err := at(o, path).Fit(context.Background(), data, train.Environment{})
		var bad *CheckpointError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", what, err, says)
		}
	}
	other := short
	other.LearningRate = 0.01
	refuse("other options", "other options or other data", other, data)
	moved := fixture(t, 100)
	moved.Y[3]++
	refuse("other data", "other options or other data", short, moved)
	law := data
	law.Likelihood = renamed{}
	refuse("another law", "other options or other data", short, law)
	good, err := readCheckpoint(bytes.NewReader(genuine))
	if err != nil {
		t.Fatal(err)
	}
	made := func(spoil func(*checkpoint)) []byte {
		c := good
		c.params, c.m, c.v = slices.Clone(c.params), slices.Clone(c.m), slices.Clone(c.v)
		spoil(&c)
		var b bytes.Buffer
		if err := c.writeTo(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for what, c := range map[string]struct {
		file []byte
		says string
	}{
		"truncated":        {genuine[:len(genuine)-5], "not a valid safetensors file"},
		"empty":            {nil, "not a valid safetensors file"},
		"text":             {[]byte("hello, world, how are you"), "not a valid safetensors file"},
		"another kind":     {testkit.EditHeader(genuine, "beziergp.checkpoint", "beziergp.chickpoint"), "not a checkpoint"},
		"no digest":        {testkit.EditHeader(genuine, `"sha256"`, `"sha-256"`), "no digest"},
		"another format":   {testkit.EditHeader(genuine, `\"format\":2`, `\"format\":3`), "format 3"},
		"steps twice":      {testkit.EditHeader(genuine, `\"steps\":`, `\"steps\":2,\"Steps\":`), "stands twice"},
		"steps below 0":    {made(func(c *checkpoint) { c.Steps = -1 }), "after step -1"},
		"too many steps":   {made(func(c *checkpoint) { c.Steps = short.Steps + 1 }), "after step 301 of 300"},
		"fewer moments":    {made(func(c *checkpoint) { c.m = c.m[1:] }), "moments"},
		"a parameter":      {made(func(c *checkpoint) { c.params[2] = float32(math.NaN()) }), "parameter 3 is NaN"},
		"a moment":         {made(func(c *checkpoint) { c.m[0] = float32(math.Inf(1)) }), "parameter 1"},
		"a second moment":  {made(func(c *checkpoint) { c.v[0] = -1 }), "parameter 1"},
		"a renamed tensor": {testkit.EditHeader(genuine, `"adam.m"`, `"adam.w"`), "moments"},
	} {
		if err := os.WriteFile(path, c.file, 0o600); err != nil {
			t.Fatal(err)
		}
		refuse(what, c.says, short, data)
	}
}

// No damage of a checkpoint ends in another model.
func TestNoDamageOfACheckpointPasses(t *testing.T) {
	_, _, file := interrupted(t)
	testkit.NoDamagePasses(t, file, func(file []byte) error {
		_, err := readCheckpoint(bytes.NewReader(file))
		return err
	})
}

// A checkpoint of a version before digests is taken up, and the run tells of it.
func TestOlderCheckpoint(t *testing.T) {
	data, path, file := interrupted(t)
	older := testkit.EditHeader(testkit.EditHeader(file, `\"format\":2,`, ""), `"sha256"`, `"sha-256"`)
	for unsealed, content := range map[bool][]byte{true: older, false: file} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r := fit(t, at(short, path), data, train.Environment{Progress: func(e train.Event) {
			if e.ResumedAt != 1 || e.Unsealed != unsealed {
				t.Fatalf("%+v", e)
			}
		}})
		if whole := fit(t, short, data, train.Environment{}); !slices.Equal(r.Posterior.Params(), whole.Posterior.Params()) {
			t.Error("the run ends elsewhere")
		}
	}
}

// A run of a Gaussian has the fingerprint that it had before runs told of their law: that
// of the checkpoints that there are.
func TestFingerprintOfAGaussian(t *testing.T) {
	data := fixture(t, 3)
	data.X, data.Y, data.Weights = []float32{0, 0.25, 1, 0.5, 0.5, 0, 1, 0.75, 0.125}, []float32{1, -0.5, 2}, []float32{0.5, 1, 1.5}
	l := &loop{Recipe: short.WithDefaults(), bases: data.Bases, rows: data.Rows(), law: likelihood.Gaussian{}}
	got, err := l.fingerprint(t.Context())
	if want := "5386ee116b7432d42238ca29aa23870c00851d6f2136b1598724903332d19bff"; got != want || err != nil {
		t.Errorf("fingerprint %s, %v, want %s", got, err, want)
	}
}

// FuzzCheckpoint mutates checkpoints, with digests that fit, and takes up what is one.
func FuzzCheckpoint(f *testing.F) {
	_, _, file := interrupted(f)
	f.Add(file)
	f.Add(file[:len(file)-1])
	f.Add(testkit.EditHeader(file, `\"steps\":1`, `\"steps\":-1`))
	good, err := readCheckpoint(bytes.NewReader(file))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readCheckpoint(bytes.NewReader(testkit.Seal(data)))
		if err != nil {
			return
		}
		if c.belongs("file", good.Run, short.Steps, len(good.params)) != nil {
			return
		}
		for i, v := range c.v {
			if v < 0 || fmt.Sprint(c.params[i]+c.m[i]+v) == "NaN" {
				t.Fatalf("parameter %d is %g with moments %g and %g", i, c.params[i], c.m[i], v)
			}
		}
	})
}
