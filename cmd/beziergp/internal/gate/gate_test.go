package gate

import (
	"errors"
	"math"
	"strings"
	"testing"

	"beziergp/cmd/beziergp/internal/exit"
)

func TestConditionsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "rmse", "rmse>", ">3", "rmse=3", "rmse==3", "rmse>3>2", "rmse>three", "rmse>1.2.3", "rmse>NaN", "rmse>Inf", "rmse>1e999",
		"rmse=>3", "abs(rmse)>3", "abs(rmse-)>3", "abs(rmse-1>3", "abs(rmse-1)", "-rmse>3", "rm se>3", "3>rmse", "|coverage95-0.95|>0.02"} {
		if c, err := Parse(text); err == nil {
			t.Errorf("%q is %v", text, c)
		}
	}
}

func TestConditions(t *testing.T) {
	for text, want := range map[string]struct {
		shown string
		holds map[float64]bool
	}{
		"rmse>3":                         {"rmse>3", map[float64]bool{3: false, 3.1: true, math.Inf(1): true, -4: false}},
		" any.rmse >= -3.5e0 ":           {"any.rmse>=-3.5", map[float64]bool{-3.5: true, -3.6: false, 0: true}},
		"coverage95<0.93":                {"coverage95<0.93", map[float64]bool{0.93: false, 0.92: true}},
		"pinball0.1<=.5":                 {"pinball0.1<=0.5", map[float64]bool{0.5: true, 0.51: false}},
		"abs(coverage95-0.95)>0.02":      {"abs(coverage95-0.95)>0.02", map[float64]bool{0.95: false, 0.96: false, 0.92: true, 0.98: true}},
		" abs( nlpd - -1.5 ) < 0.25 ":    {"abs(nlpd--1.5)<0.25", map[float64]bool{-1.5: true, -1.2: false, 1.5: false}},
		"interval_score95 > +1e+3":       {"interval_score95>1000", map[float64]bool{1001: true, 999: false}},
		"abs(interval_score95-1e-3)>=.1": {"abs(interval_score95-0.001)>=0.1", map[float64]bool{0: false, 1: true}},
	} {
		c, err := Parse(text)
		if err != nil || c.String() != want.shown {
			t.Errorf("%q is %q, %v", text, c, err)
			continue
		}
		if again, err := Parse(c.String()); err != nil || again.String() != c.String() {
			t.Errorf("%q is %q when read again, %v", c, again, err)
		}
		for v, holds := range want.holds {
			if c.holds(v) != holds {
				t.Errorf("%q of %g: %v", text, v, !holds)
			}
		}
	}
}

func conditions(t *testing.T, texts ...string) (all Conditions) {
	t.Helper()
	for _, text := range texts {
		if err := Flag(&all).Set(text); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// What is judged is told: the score, its value, whose it is, and the bound.
func TestJudging(t *testing.T) {
	scores := []Score{{Name: "rmse", Value: 2.5}, {Name: "r2", Value: math.NaN(), Why: "all targets are the same"}, {Name: "coverage95", Value: 0.92999999},
		{Name: "nlpd", Value: math.Inf(1), Why: "a target lies beyond the range"},
		{Name: "any.rmse", Value: 1, Of: "city=Oslo"}, {Name: "any.rmse", Value: 3.25, Of: "city=Ro\nme"},
		{Name: "many", Value: 1}, {Name: "many", Value: 2}, {Name: "many", Value: 3}, {Name: "many", Value: 4}, {Name: "many", Value: 5}}
	for _, c := range []struct {
		texts []string
		want  string // empty where nothing fails
	}{
		{nil, ""},
		{[]string{"rmse>2.5", "coverage95<0.9", "any.rmse>4"}, ""},
		{[]string{"rmse>2"}, "rmse is 2.5, and may not be above 2"},
		{[]string{"rmse>2", "rmse<9"}, "rmse is 2.5, and may not be above 2; rmse is 2.5, and may not be below 9"},
		{[]string{"coverage95<0.93"}, "coverage95 is 0.92999999, and may not be below 0.93"},
		{[]string{"abs(coverage95-0.95)>=0.01"}, "coverage95 is 0.93, and may not be off 0.95 by an amount at or above 0.01"},
		{[]string{"r2<0"}, "r2 is undefined (all targets are the same), and may not be below 0"},
		{[]string{"nlpd>3"}, "nlpd is +Inf (a target lies beyond the range), and may not be above 3"},
		{[]string{"any.rmse>=3.25"}, `any.rmse of city=Ro\nme is 3.25, and may not be at or above 3.25`},
		{[]string{"many>0"}, "many is 1, and may not be above 0; many is 2, and may not be above 0; many is 3, and may not be above 0, and 2 more"},
		{[]string{"absent<=1"}, "absent is not known, and may not be at or below 1"},
	} {
		err := conditions(t, c.texts...).Judge(scores)
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.texts, err)
			}
			continue
		}
		var coded *exit.Error
		if !errors.As(err, &coded) || coded.Code != exit.Failed || err.Error() != "--fail-if: "+c.want {
			t.Errorf("%q: %v, want %s", c.texts, err, c.want)
		}
	}
}

func TestUnknownScoresAreRefused(t *testing.T) {
	names := []string{"rmse", "mae"}
	if err := conditions(t, "rmse>1", "mae<2").Check(names); err != nil {
		t.Error(err)
	}
	err := conditions(t, "rmse>1", "rsme>1").Check(names)
	var coded *exit.Error
	if !errors.As(err, &coded) || coded.Code != exit.Usage || !strings.HasSuffix(err.Error(), `there is no score "rsme" here; there are rmse, mae`) {
		t.Errorf("an unknown score: %v", err)
	}
}
