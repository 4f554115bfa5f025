package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"

	"beziergp/internal/testkit"
)

func sample(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	err := Write(&b, map[string]Tensor{
		"b": {Shape: []int{2, 2}, Data: []float32{1, -2, float32(math.Inf(1)), 4}},
		"a": {Shape: []int{3}, Data: []float32{5, 6, 7}},
		"0": {Shape: []int{0}},
		"s": {Data: []float32{9}},
		"w": {Shape: []int{1, 2}, Wide: []float64{math.Pi, math.Copysign(0, -1)}},
		"n": {Shape: []int{3, 0}, Wide: []float64{}},
	}, map[string]string{"k": "v"})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	f, err := Read(bytes.NewReader(sample(t)))
	if err != nil {
		t.Fatal(err)
	}
	tensors, metadata := f.Tensors, f.Metadata
	if !f.Sealed {
		t.Error("there is no digest")
	}
	if !maps.Equal(metadata, map[string]string{"k": "v"}) {
		t.Errorf("metadata %v", metadata)
	}
	if got := tensors["b"]; !reflect.DeepEqual(got, Tensor{Shape: []int{2, 2}, Data: []float32{1, -2, float32(math.Inf(1)), 4}}) {
		t.Errorf("tensor b: %v", got)
	}
	if got := tensors["w"].Wide; len(got) != 2 || got[0] != math.Pi || !math.Signbit(got[1]) || tensors["w"].Data != nil {
		t.Errorf("tensor w: %v", tensors["w"])
	}
	if got := tensors["n"]; got.Wide == nil || got.Data != nil {
		t.Errorf("tensor n has lost its type: %v", got)
	}
	if len(tensors) != 6 || len(tensors["0"].Data) != 0 || tensors["s"].Data[0] != 9 {
		t.Errorf("tensors: %v", tensors)
	}
}

func file(header string, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

func TestBadFiles(t *testing.T) {
	whole := sample(t)
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"empty":               {nil, "ends within its header length"},
		"header too long":     {binary.LittleEndian.AppendUint64(nil, 1<<40), "would have 1099511627776 bytes"},
		"short header":        {whole[:20], "ends within its header"},
		"short tensor":        {whole[:len(whole)-1], `ends within its tensor`},
		"trailing":            {append(bytes.Clone(whole), 0), "bytes follow"},
		"tensor twice":        {file(`{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}`), `"a" stands twice`},
		"type twice":          {file(`{"a":{"dtype":"F32","dtype":"F64","shape":[0],"data_offsets":[0,0]}}`), `"dtype" stands twice`},
		"metadata twice":      {file(`{"__metadata__":{},"__metadata__":{}}`), "metadata twice"},
		"key twice":           {file(`{"__metadata__":{"k":"1","k":"2"}}`), `"k" stand twice`},
		"too much metadata":   {file(`{"__metadata__":{` + strings.Repeat(`"k":"",`, 2000) + `}}`), "metadata"},
		"no shape":            {file(`{"a":{"dtype":"F32","data_offsets":[0,0]}}`), "lacks"},
		"no place":            {file(`{"a":{"dtype":"F32","shape":[0]}}`), "lacks"},
		"three offsets":       {file(`{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0,0]}}`), "lacks"},
		"no object":           {file(`[]`), "where an object should be"},
		"more JSON":           {file(`{} {}`), "follows"},
		"NaN in a shape":      {file(`{"a":{"dtype":"F32","shape":[NaN],"data_offsets":[0,0]}}`), "header"},
		"a digest of nothing": {file(`{"__metadata__":{"sha256":"00"}}`), "digest"},
		"a digest elsewhere":  {file(`{"__metadata__":{"sha256": "` + strings.Repeat("0", 64) + `"}}`), "digest"},
		"another digest":      {file(`{"__metadata__":{"sha256":"` + strings.Repeat("0", 64) + `"}}`), "changed since it was written"},
		"not JSON":            {file("hello, world"), "header"},
		"other type":          {file(`{"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}`, make([]byte, 8)...), "want F32 or F64"},
		"F64 too short":       {file(`{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,4]}}`, make([]byte, 4)...), "want 0 to 8"},
		"F64 cut":             {file(`{"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}}`, make([]byte, 15)...), "ends within its tensor"},
		"huge F64":            {file(`{"a":{"dtype":"F64","shape":[2147483648,2147483648],"data_offsets":[0,8]}}`), "impossible shape"},
		"negative shape":      {file(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`), "impossible shape"},
		"huge shape":          {file(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`), "impossible shape"},
		"gap":                 {file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, make([]byte, 8)...), "want 0 to 4"},
		"overlap": {file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`,
			make([]byte, 8)...), "want 4 to 8"},
		"more than there is": {file(`{"a":{"dtype":"F32","shape":[1000000000],"data_offsets":[0,4000000000]}}`, 1, 2, 3), "ends within"},
	} {
		for _, size := range []int64{0, int64(len(c.file)), math.MaxInt64} {
			if name == "more than there is" && size > int64(len(c.file)) {
				continue // of a file that is said to be as large, memory for as many is taken
			}
			_, err := ReadSized(bytes.NewReader(c.file), size)
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, of %d bytes: error %v, want one that says %q", name, size, err, c.says)
			}
		}
	}
}

// A file of which it is known how long it is holds the same, and its tensors of float32
// lie in one piece of memory, in the order of their names, numbers by their value.
func TestSizedFile(t *testing.T) {
	var b bytes.Buffer
	tensors := map[string]Tensor{"z": {Shape: []int{1}, Wide: []float64{7}}}
	for i := range 12 {
		data := make([]float32, 1000*i)
		for k := range data {
			data[k] = float32(i + k)
		}
		tensors[fmt.Sprintf("layer.%d.mean", i)] = Tensor{Shape: []int{len(data)}, Data: data}
	}
	if err := Write(&b, tensors, nil); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	for _, size := range []int{0, 1, len(file) / 2, len(file), 3 * len(file)} {
		f, err := ReadSized(bytes.NewReader(file), int64(size))
		if err != nil {
			t.Fatalf("of %d bytes: %v", size, err)
		}
		if !reflect.DeepEqual(f.Tensors, tensors) {
			t.Errorf("of %d bytes: other tensors", size)
		}
		if size < len(file) {
			continue
		}
		all := f.Tensors["layer.1.mean"].Data
		for i := 2; i < 12; i++ {
			next := f.Tensors[fmt.Sprintf("layer.%d.mean", i)].Data
			if all = all[:len(all)+len(next)]; &all[len(all)-1] != &next[len(next)-1] {
				t.Errorf("layer %d does not lie behind the one before", i)
			}
		}
	}
}

// Damage of a file that has a digest is noticed, wherever it is.
func TestNoDamagePasses(t *testing.T) {
	testkit.NoDamagePasses(t, sample(t), func(file []byte) error {
		f, err := Read(bytes.NewReader(file))
		if err == nil && !f.Sealed { // which whoever wrote the file knows it to be
			err = errors.New("no digest")
		}
		return err
	})
}

// The digest is that of the whole file with zeros in its place, and files without one
// are read.
func TestDigest(t *testing.T) {
	file := sample(t)
	if !bytes.Equal(testkit.Seal(file), file) {
		t.Error("the digest is not what it is said to be")
	}
	f, err := Read(bytes.NewReader(testkit.EditHeader(file, `"sha256"`, `"sha-256"`)))
	if err != nil || f.Sealed || f.Metadata["k"] != "v" {
		t.Errorf("%+v, %v", f, err)
	}
	if err := Write(io.Discard, nil, map[string]string{"sha256": "mine"}); err == nil {
		t.Error("somebody else's digest is written")
	}
}

// Reading takes a small multiple of the bytes that are there, whatever these say. What
// is counted is all that is allocated, which is several times what is held at once.
func TestReadingTakesLittleMemory(t *testing.T) {
	entries, metadata := []byte("{"), []byte(`{"__metadata__":{`)
	for i := range 10000 {
		entries = fmt.Appendf(entries, `"%x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},`, i)
		metadata = fmt.Appendf(metadata, `"%x":"",`, i)
	}
	for name, c := range map[string]struct {
		file  []byte
		times int64
	}{
		"many entries":  {file(string(entries[:len(entries)-1]) + "}"), 40},
		"many metadata": {file(string(metadata[:len(metadata)-1]) + "}}"), 40},
		"many sides":    {file(`{"a":{"dtype":"F32","shape":[`+strings.Repeat("1,", 100000)+`1],"data_offsets":[0,4]}}`, make([]byte, 4)...), 40},
		"numbers":       {file(`{"a":{"dtype":"F64","shape":[500000],"data_offsets":[0,4000000]}}`, make([]byte, 4000000)...), 12},
	} {
		allocated := testkit.Allocated(func() { _, _ = Read(bytes.NewReader(c.file)) })
		if limit := c.times*int64(len(c.file)) + 4<<20; allocated > limit {
			t.Errorf("%s: %d bytes allocated for a file of %d, want at most %d", name, allocated, len(c.file), limit)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample(f))
	f.Add(file(`{"a":{"dtype":"F32","shape":[1000000000],"data_offsets":[0,4000000000]}}`, 1, 2, 3))
	f.Add(file(`{"a":{"dtype":"F64","shape":[1000000000],"data_offsets":[0,8000000000]}}`, 1, 2, 3))
	f.Add(file(`{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}`, make([]byte, 12)...))
	f.Add(file(`{"__metadata__":{"k":1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		f, err := Read(bytes.NewReader(testkit.Seal(data)))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, f.Tensors, f.Metadata); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := Read(&b)
		if err != nil || !again.Sealed || len(again.Tensors) != len(f.Tensors) {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	})
}
