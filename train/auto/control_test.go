package auto_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/train"
	"beziergp/train/auto"
)

// Options in the place of the effort's do what they say: the candidates that are tried, the
// rows that the members lack, and the steps.
func TestControl(t *testing.T) {
	const rows = 60
	candidates := func(events []train.Event) (shapes []string) {
		for _, e := range events {
			if e.Phase == train.PhaseSelection && e.Fit.HeldOut > 0 && !slices.Contains(shapes, e.Fit.Shape) {
				shapes = append(shapes, e.Fit.Shape)
			}
		}
		slices.Sort(shapes)
		return shapes
	}
	for _, c := range []struct {
		auto.Recipe
		candidates string
		members    int // replicates among them
		scored     int // rows
	}{
		{auto.Recipe{Shapes: []string{"coarse@1", "linear:coarse@1", "additive@10"}}, "additive@10 coarse@1 linear:coarse@1", 7, 60},
		{auto.Recipe{Shapes: []string{"smooth"}}, "smoothx60@0.0003 smoothx60@0.03 smoothx60@1 smoothx60@30", 7, 60},
		{auto.Recipe{Shapes: []string{"additive@1"}}, "", 7, 60},
		{auto.Recipe{Shapes: []string{"additive@1"}, Folds: 2}, "", 4, 60},
		{auto.Recipe{Shapes: []string{"additive@1"}, Folds: 10}, "", 7, 24},
		{auto.Recipe{Shapes: []string{"additive@1"}, Folds: 10, Members: 10}, "", 13, 60},
		{auto.Recipe{Shapes: []string{"additive@1"}, Members: 6}, "", 9, 60},
		{auto.Recipe{Shapes: []string{"additive@1"}, Members: 1}, "", 2, 15},
	} {
		c.Effort, c.StepsFactor = auto.Fast, few
		m, events := watched(t, "interactions", rows, c.Recipe)
		members := 0
		for _, e := range events {
			if e.Phase == train.PhaseMembers {
				members = max(members, e.Fit.Number)
			}
		}
		if got := strings.Join(candidates(events), " "); got != c.candidates {
			t.Errorf("%+v: candidates %q, want %q", c.Recipe, got, c.candidates)
		}
		if scored := events[len(events)-1].Score.Rows; members != c.members || scored != c.scored {
			t.Errorf("%+v: %d members, %d rows scored, want %d, %d", c.Recipe, members, scored, c.members, c.scored)
		}
		if noise := m.Noise(); math.IsNaN(noise) {
			t.Errorf("%+v: noise %g", c.Recipe, noise)
		}
	}
}

// Twice the steps are taken twice.
func TestStepsFactor(t *testing.T) {
	steps := func(factor float64) int {
		m, _ := watched(t, "Gaussian", 120, auto.Recipe{Effort: auto.Fast, StepsFactor: factor, Shapes: []string{"coarse@1"}})
		return m.Training().Steps
	}
	if one, two := steps(0.25), steps(0.5); two < 2*one-20 || two > 2*one+20 {
		t.Errorf("%d steps, with a factor of two %d", one, two)
	}
}

// The shape that a run chose, given to another one, gives the same model.
func TestChosenShapeCanBeGiven(t *testing.T) {
	recipe := auto.Recipe{Effort: auto.Fast, StepsFactor: 0.05, Seed: 2}
	first, _ := watched(t, "local structure", 80, recipe)
	chosen := auto.Shapes(first.Training().Options)
	if len(chosen) != 1 {
		t.Fatalf("shapes %q", chosen)
	}
	recipe.Shapes = chosen
	again, events := watched(t, "local structure", 80, recipe)
	if events[0].Phase != train.PhaseMembers || !slices.Equal(first.Posterior().Params(), again.Posterior().Params()) || first.Noise() != again.Noise() {
		t.Errorf("%q: begins with %s, noise %g, before %g", chosen, events[0].Phase, again.Noise(), first.Noise())
	}
	if told := auto.Shapes(again.Training().Options); !slices.Equal(told, chosen) {
		t.Errorf("shapes %q, given %q", told, chosen)
	}
}

// What cannot be is refused with the option's name and what to do, before anything is trained.
func TestControlIsChecked(t *testing.T) {
	tab := laws["interactions"].sample(30, 1).table(t, 0)
	for _, c := range []struct {
		auto.Recipe
		option, says string
	}{
		{auto.Recipe{Folds: 1}, "folds", "from 2"},
		{auto.Recipe{Folds: -2}, "folds", "from 2"},
		{auto.Recipe{Folds: 31}, "folds", "30 rows"},
		{auto.Recipe{Members: 31}, "folds", "30 rows"},
		{auto.Recipe{Members: -1}, "members", "fewer than one"},
		{auto.Recipe{Folds: 4, Members: 5}, "members", "4 folds"},
		{auto.Recipe{StepsFactor: -1}, "steps factor", "above 0"},
		{auto.Recipe{StepsFactor: math.Inf(1)}, "steps factor", "1000"},
		{auto.Recipe{StepsFactor: math.NaN()}, "steps factor", "above 0"},
		{auto.Recipe{Shapes: []string{}}, "shapes", "empty"},
		{auto.Recipe{Shapes: []string{"course"}}, "shapes", "no component \"course\""},
		{auto.Recipe{Shapes: []string{"fine"}}, "shapes", "fine21"},
		{auto.Recipe{Shapes: []string{"coarse+ties12"}}, "shapes", "no number has 20 to 65536 values of 1.5 rows each"},
		{auto.Recipe{Shapes: []string{"fine1"}}, "shapes", "from 2 to 256"},
		{auto.Recipe{Shapes: []string{"fine12x"}}, "shapes", "orderings"},
		{auto.Recipe{Shapes: []string{"fine12x0"}}, "shapes", "orderings"},
		{auto.Recipe{Shapes: []string{"coarse9999"}}, "shapes", "nodes"},
		{auto.Recipe{Shapes: []string{"coarse+"}}, "shapes", "no component"},
		{auto.Recipe{Shapes: []string{"coarse@"}}, "shapes", "smoothness"},
		{auto.Recipe{Shapes: []string{"coarse@-1"}}, "shapes", "from 0"},
		{auto.Recipe{Shapes: []string{"coarse@NaN"}}, "shapes", "from 0"},
		{auto.Recipe{Shapes: []string{"cubic:coarse"}}, "shapes", "no scaling"},
		{auto.Recipe{Shapes: []string{"coarse+additive"}}, "shapes", "alone"},
		{auto.Recipe{Shapes: []string{"additive8x4"}}, "shapes", "no orderings"},
		{auto.Recipe{Shapes: []string{"fine256x100000"}}, "shapes", "GiB"},
		{auto.Recipe{Shapes: []string{"coarse"}, Ablation: rough[:1]}, "without", "contradict"},
	} {
		_, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Recipe: c.Recipe, Progress: func(train.Event) { t.Fatalf("%+v trains", c.Recipe) }})
		var refused *beziergp.OptionError
		if !errors.As(err, &refused) || refused.Option != c.option || !strings.Contains(refused.Problem, c.says) {
			t.Errorf("%+v: error %v, want one about %s: %s", c.Recipe, err, c.option, c.says)
		}
	}
}

// Groups make fewer folds than there might be, and marked rows one; the share that is done
// knows, and folds that cannot be are refused.
func TestProgressWhereRowsAreHeldOutTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("fits models")
	}
	rows := laws["interactions"].sample(60, 1)
	for i := range rows.x { // the columns e, a group, and f, a mark
		rows.x[i] = append(rows.x[i], float64(i%3), float64(i%4/3))
	}
	tab := rows.table(t, 0)
	fit := func(o beziergp.Options, r auto.Recipe) (members int, end train.Event, err error) {
		r.Effort, r.StepsFactor = auto.Fast, few
		o.Workers, o.Progress = 2, func(e train.Event) {
			if e.Step < end.Step || e.Steps != end.Steps && end.Steps != 0 || end.Step == end.Steps && end.Steps != 0 {
				t.Errorf("step %d of %d after %d of %d", e.Step, e.Steps, end.Step, end.Steps)
			}
			if end = e; e.Phase == train.PhaseMembers {
				members = max(members, e.Parts)
			}
		}
		o.Recipe = r
		_, err = beziergp.Fit(context.Background(), tab, "y", o)
		return members, end, err
	}
	for _, c := range []struct {
		beziergp.Options
		auto.Recipe
		members, scored int
	}{
		{beziergp.Options{Group: "e"}, auto.Recipe{}, 6, 60},
		{beziergp.Options{Held: "f"}, auto.Recipe{}, 7, 15}, // as many members as folds there might be
		{beziergp.Options{Held: "f"}, auto.Recipe{Members: 6}, 9, 15},
		{beziergp.Options{Group: "e"}, auto.Recipe{Folds: 2}, 4, 60},
	} {
		members, end, err := fit(c.Options, c.Recipe)
		if err != nil || end.Step != end.Steps || members != c.members || end.Score.Rows != c.scored {
			t.Errorf("%+v, %+v: %d members, want %d; at the end %+v, %v", c.Options, c.Recipe, members, c.members, end, err)
		}
	}
	for _, c := range []struct {
		beziergp.Options
		auto.Recipe
		says string
	}{
		{beziergp.Options{Group: "e"}, auto.Recipe{Folds: 4}, "make 3"},
		{beziergp.Options{Held: "f"}, auto.Recipe{Folds: 4}, "marked"},
	} {
		_, _, err := fit(c.Options, c.Recipe)
		var refused *beziergp.OptionError
		if !errors.As(err, &refused) || refused.Option != "folds" || !strings.Contains(refused.Problem, c.says) {
			t.Errorf("%+v, %+v: %v", c.Options, c.Recipe, err)
		}
	}
}
