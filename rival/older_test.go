package rival_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/rival"
	"beziergp/table"
	"beziergp/tablefile"
)

// A file of format 1 is read, predicts what it did, and is written in today's format
// without the names of rare levels. It is least squares on the table of
// model/testdata/format3.bgp, its predictions recorded by the program that wrote it.
func TestFormat1(t *testing.T) {
	text, err := os.ReadFile("testdata/format1.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		X, Z      []*float64
		C         []string
		Mean, Std []float64
		InBox     []bool `json:"in_box"`
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	m, err := rival.Load("testdata/format1.bgp")
	if err != nil {
		t.Fatal(err)
	}
	if m.Origin() != (model.Origin{Format: 1}) {
		t.Errorf("origin %+v", m.Origin())
	}
	levels := slices.Compact(slices.Sorted(slices.Values(want.C)))
	columns := []table.Column{{Name: "x"}, {Name: "z"}, {Name: "c", Kind: table.Category, Levels: levels}}
	for i, level := range want.C {
		for k, v := range []*float64{want.X[i], want.Z[i]} {
			columns[k].Values = append(columns[k].Values, math.NaN())
			if v != nil {
				columns[k].Values[i] = *v
			}
		}
		columns[2].Values = append(columns[2].Values, float64(slices.Index(levels, level)))
	}
	rows, err := table.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	file := saved(t, m)
	if bytes.Contains(file, []byte("person")) {
		t.Error("the file has the name of a rare level")
	}
	again, err := rival.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*rival.Model{m, again} {
		p, err := m.Predict(context.Background(), rows, model.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for row := range want.Mean {
			testkit.Close(t, fmt.Sprintf("mean of row %d", row+1), p.Mean[row], want.Mean[row], 1e-12, 0)
			testkit.Close(t, fmt.Sprintf("deviation of row %d", row+1), p.Std[row], want.Std[row], 1e-12, 0)
		}
		if !slices.Equal(p.InBox, want.InBox) {
			t.Errorf("in the box %v, want %v", p.InBox, want.InBox)
		}
	}
}

// Whatever a file says, reading it takes a small multiple of its bytes.
func TestReadingTakesLittleMemory(t *testing.T) {
	const many = 50000
	for name, c := range map[string]struct{ head, says string }{
		"empty inputs":   {`{"format":1,"method":"linear","inputs":[` + strings.Repeat("{},", many) + `{}]}`, "more than 0 inputs"},
		"inputs alone":   {`{"format":1,"method":"linear","inputs":[` + strings.Repeat(`{"name":"x"},`, many) + `{"name":"x"}]}`, "more than 0 inputs"},
		"scalings alone": {`{"format":1,"method":"linear","inputs":[{"name":"x"}],"means":[0],"target":{"name":"y","sd":1},"out_of_box":"clip","scaling":{"inputs":[` + strings.Repeat(`{},`, many) + `{}]}}`, "scalings"},
		"huge rank":      {`{"format":1,"method":"linear","inputs":[{"name":"x","hi":1}],"means":[0],"target":{"name":"y","sd":1},"out_of_box":"clip","scaling":{"inputs":[{"scale":1}],"target":{"scale":1}},"learned":{"rank":1000000000000}}`, "linear"},
	} {
		text, err := json.Marshal(map[string]any{"__metadata__": map[string]string{"beziergp.rival": c.head}})
		if err != nil {
			t.Fatal(err)
		}
		file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
		allocated := testkit.Allocated(func() { _, err = rival.Read(bytes.NewReader(file)) })
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %.300v, want one that says %q", name, err, c.says)
		}
		if limit := 60*int64(len(file)) + 4<<20; allocated > limit {
			t.Errorf("%s: %d bytes allocated for a file of %d, want at most %d", name, allocated, len(file), limit)
		}
	}
}

// Files of Gaussian processes from before Matérn 5/2 was the default kernel, which they do
// not tell: they have the name of theirs, and predict what they did.
func TestProcessesOfAnotherDefault(t *testing.T) {
	ctx := context.Background()
	rows, err := tablefile.Read(ctx, "testdata/rbf.csv", tablefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"exact", "sgpr", "svgp"} {
		m, err := rival.Load("testdata/rbf-" + method + ".bgp")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(m.Learned()), `"kernel":"rbf"`) {
			t.Errorf("%s: learned %s", method, m.Learned())
		}
		p, err := m.Predict(ctx, rows, model.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for what, got := range map[string][]float64{"mean": p.Mean, "std": p.Std} {
			want, ok := rows.Column(method + "_" + what)
			if !ok {
				t.Fatalf("no column of %s", what)
			}
			for row := range want {
				testkit.Close(t, fmt.Sprintf("%s: %s of row %d", method, what, row+1), got[row], want[row], 1e-10, 1e-12)
			}
		}
	}
}
