package effects

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/box/neighbour"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/explain"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/model"
)

// neighbours returns a file with a model of x and of a mean over rows near in x.
func neighbours(t *testing.T) string {
	t.Helper()
	b, err := basis.New(basis.Spec{Kind: basis.KindBernstein, Nodes: 2})
	if err != nil {
		t.Fatal(err)
	}
	if b, err = basis.NewAveraged(b, b.Mean()); err != nil {
		t.Fatal(err)
	}
	e, err := buttress.New([]int{2, 2}, nil, [][]int{{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(surface.Group{Bases: []basis.Basis{b, b}, Ensemble: e})
	if err != nil {
		t.Fatal(err)
	}
	q, err := surface.NewPosterior(s, make([]float32, s.Size()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(model.Parts{
		Posterior: q, Inputs: []box.Input{{Name: "x", Hi: 1}}, Policy: box.Clip,
		Neighbours: []neighbour.Table{{
			Order: neighbour.Order{neighbour.NewColumn(0, []float32{0, 1}, 0)}, At: []float64{0, 1}, Mean: []float64{-1, 1},
			Input: box.Input{Name: "neighbours by x", Lo: -1, Hi: 1, Missing: true},
		}},
		Outputs: []model.Output{{Target: box.Target{Name: "y", SD: 1}, Noise: 0.1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "m.bgp")
	if err := m.Save(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// Of a model with inputs that several columns make together no effect over rows is told.
func TestEffectsRefuseNeighbours(t *testing.T) {
	file := neighbours(t)
	data := filepath.Join(filepath.Dir(file), "t.csv")
	if err := os.WriteFile(data, []byte("x\n0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ale := range []bool{false, true} {
		s := streams.Streams{In: strings.NewReader(""), Out: io.Discard, Console: console.New(io.Discard)}
		err := Run(context.Background(), s, file, &data, &Options{ALE: ale})
		if !errors.Is(err, explain.ErrNeighbours) || exit.Code(err) != exit.Data || !strings.Contains(err.Error(), file) {
			t.Errorf("--ale %t: code %d, error %v", ale, exit.Code(err), err)
		}
	}
}

// A sample has every row of few and every row equally often of many; its rows stand in order.
func TestSample(t *testing.T) {
	s := newSample(1)
	s.add([][]float64{{5, 6}, {7, 8}}, []int64{3, 9})
	columns, numbers := s.columns()
	if len(numbers) != 2 || numbers[1] != 9 || columns[0][0] != 5 || columns[1][1] != 8 {
		t.Errorf("%v of rows %v", columns, numbers)
	}
	s = newSample(2)
	const n = 50 * mostSampled
	for row := range int64(n) {
		s.add([][]float64{{float64(row)}}, []int64{row})
	}
	columns, numbers = s.columns()
	var sum float64
	for i, row := range numbers {
		if sum += columns[0][i]; columns[0][i] != float64(row) || i > 0 && row <= numbers[i-1] {
			t.Fatalf("row %d holds %g, after row %d", row, columns[0][i], numbers[max(0, i-1)])
		}
	}
	if mean := sum / mostSampled / n; len(numbers) != mostSampled || math.Abs(mean-0.5) > 4*math.Sqrt(1.0/12/mostSampled) {
		t.Errorf("%d rows around %g of all", len(numbers), mean)
	}
}

// Standard errors are those of means of a finite number of rows.
func TestAverages(t *testing.T) {
	mean, deviation := averages([]float64{1, 7, 3, 7, 5, 7}, 2, 6)
	if mean[0] != 3 || mean[1] != 7 || math.Abs(deviation[0]-math.Sqrt(4.0/3*0.5)) > 1e-12 || deviation[1] != 0 {
		t.Errorf("%v ± %v", mean, deviation)
	}
	if _, deviation := averages([]float64{1, 3}, 1, 2); deviation[0] != 0 {
		t.Errorf("of all rows ± %v", deviation)
	}
}
