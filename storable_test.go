package beziergp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/model"
	"beziergp/rival"
	"beziergp/rival/method"
	"beziergp/rival/method/linear"
	"beziergp/table"
	"beziergp/train"
	"beziergp/train/paper"
)

// untrained is a recipe, and a method, that must not be asked to train.
type untrained struct{ paper.Recipe }

func (untrained) Fit(context.Context, train.Data, train.Environment) (*train.Result, error) {
	return nil, errors.New("it was trained")
}

type unfitted struct{}

func (unfitted) Fit(context.Context, method.Data, method.Environment) (method.Regressor, error) {
	return nil, errors.New("it was fitted")
}

// What no file could hold is refused before the training, by name.
func TestWhatCannotBeSavedIsNotTrained(t *testing.T) {
	codes, y := make([]float64, 20), make([]float64, 20)
	for i := range codes {
		codes[i], y[i] = float64(i%2), float64(i)
	}
	tab := mustTable(t, column("x", y...), beziergp.Column{Name: "scan", Kind: table.Category, Levels: []string{strings.Repeat("x", 92e6), "y"}, Values: codes}, column("y", y...))
	_, fit := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Recipe: untrained{}})
	_, rivals := beziergp.FitRival(context.Background(), tab, "y", unfitted{}, beziergp.RivalOptions{})
	for _, err := range []error{fit, rivals} {
		var bad *beziergp.DataError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), `column "scan"`) || !strings.Contains(err.Error(), "exclude it") || len(err.Error()) > 500 {
			t.Errorf("error %.600v", err)
		}
	}
}

// A model has no names of rare levels, though it tells them from levels that it never
// saw; and long ones take no room.
func TestRareLevelsHaveNoNamesInAFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var persons []string
	var codes, x, y []float64
	for i := range 300 {
		persons = append(persons, fmt.Sprintf("person %03d%s", i, strings.Repeat("!", 10000)))
		codes, x = append(codes, float64(i)), append(x, rng.Float64())
		y = append(y, x[i]+0.1*rng.NormFloat64())
	}
	who := beziergp.Column{Name: "who", Kind: table.Category, Levels: persons, Values: codes}
	tab := mustTable(t, column("x", x...), who, column("y", y...))
	m := fit(t, tab, beziergp.Options{Recipe: paper.Recipe{Order: 2, Orderings: 1, Steps: 5}})
	other, err := beziergp.FitRival(context.Background(), tab, "y", linear.Method{}, beziergp.RivalOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := other.Write(&file); err != nil {
		t.Fatal(err)
	}
	again := reread(t, m)
	reread, err := rival.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"model": bytesOf(t, m), "rival": file.Bytes()} {
		if bytes.Contains(content, []byte("person")) || len(content) > 10000 {
			t.Errorf("%s: %d bytes, with names", name, len(content))
		}
	}
	new := mustTable(t, column("x", 0.5, 0.5), beziergp.Column{Name: "who", Kind: table.Category, Levels: []string{persons[7], "nobody"}, Values: []float64{0, 1}})
	var inBox [][]bool
	for _, predict := range []func(context.Context, *beziergp.Table, model.PredictOptions) (*beziergp.Predictions, error){m.Predict, again.Predict, other.Predict, reread.Predict} {
		p, err := predict(context.Background(), new, model.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if inBox = append(inBox, p.InBox); !slices.Equal(p.InBox, []bool{true, false}) || p.Mean[0] != p.Mean[1] {
			t.Errorf("in the box: %v; means %v", inBox, p.Mean)
		}
	}
}
