package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beziergp/bench/data"
)

// folder returns a folder of data sets with two splits each.
func folder(t *testing.T, sets ...string) data.Places {
	t.Helper()
	p := data.Places{Data: t.TempDir(), Work: t.TempDir()}
	for _, set := range sets {
		dir := filepath.Join(p.Data, set)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"data.csv": "a,y\n1,2\n3,4\n", "test_mask.csv": "split0,split1\n0,1\n1,0\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}

func named(t *testing.T, name string) Suite {
	t.Helper()
	all := All()
	at := slices.IndexFunc(all, func(s Suite) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("no suite %s", name)
	}
	return all[at]
}

func plan(t *testing.T, suite string, c Choice, p data.Places) (fits []string, absent int) {
	t.Helper()
	planned, without, err := named(t, suite).Plan(c, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range planned {
		fits = append(fits, strings.TrimSpace(fmt.Sprintf("%s %d %s %s", f.Set.Name, f.Split, f.Method.Key, f.Refused)))
	}
	return fits, len(without)
}

func TestPlan(t *testing.T) {
	p := folder(t, "power", "boston")
	got, absent := plan(t, "uci", Choice{Methods: []string{"Exact GP Matern52", "AUTO"}}, p)
	// The mask has two splits, fewer than the suite fits.
	want := []string{
		"boston 0 exact", "boston 0 auto", "boston 1 exact", "boston 1 auto",
		"power 0 exact does not fit: it is for at most 2000 rows", "power 0 auto",
		"power 1 exact does not fit: it is for at most 2000 rows", "power 1 auto",
	}
	if !slices.Equal(got, want) || absent != 6 {
		t.Errorf("%d absent, %q", absent, got)
	}
	if got, _ := plan(t, "uci", Choice{Sets: []string{"boston"}, Methods: []string{"auto"}, Splits: 1}, p); len(got) != 1 {
		t.Errorf("%q", got)
	}
	// What is for some sets is fitted on others when it is asked for.
	for _, c := range []struct {
		set    string
		asked  []string
		fitted bool
	}{{"boston", nil, false}, {"power", nil, true}, {"boston", []string{"deepgp-2"}, true}} {
		got, _ := plan(t, "uci", Choice{Sets: []string{c.set}, Methods: c.asked, Splits: 1}, p)
		if slices.Contains(got, c.set+" 0 deepgp-2") != c.fitted {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got, _ := plan(t, "permutations", Choice{}, p); len(got) != 6 {
		t.Errorf("%q", got)
	}
}

// A table that the user has not is replaced by one of its shape, and the paper's
// recipe has the orders that the paper has there.
func TestPlanStandsIn(t *testing.T) {
	got, absent := plan(t, "large", Choice{Methods: []string{"paper-3", "paper-5", "paper-20"}}, folder(t, "slice"))
	want := []string{"year-like 0 paper-20", "buzz-like 0 paper-20", "houseelectric-like 0 paper-20", "slice 0 paper-3", "slice 0 paper-5"}
	if !slices.Equal(got, want) || absent != 5 {
		t.Errorf("%d absent, %q", absent, got)
	}
	fits, _, err := named(t, "large").Plan(Choice{Sets: []string{"slice-like"}, Methods: []string{"paper-3", "auto"}}, data.Places{})
	if err != nil || len(fits) != 2 || !slices.Contains(fits[0].Options, "30000") || slices.Contains(fits[1].Options, "30000") {
		t.Errorf("%v: %+v", err, fits)
	}
}

func TestPlanRefusesWhatThereIsNot(t *testing.T) {
	for _, c := range []Choice{{Sets: []string{"energie"}}, {Methods: []string{"magic"}}} {
		_, _, err := named(t, "uci").Plan(c, data.Places{})
		var unknown *UnknownError
		if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "it has") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Records are told apart by names, and the command line by keys.
func TestNamesAreUnique(t *testing.T) {
	for _, s := range All() {
		usual, more := s.MethodKeys()
		for what, names := range map[string][]string{"sets": s.SetNames(), "methods": s.MethodNames(), "keys": append(usual, more...)} {
			slices.Sort(names)
			if len(slices.Compact(slices.Clone(names))) != len(names) {
				t.Errorf("%s of %s: %q", what, s.Name, names)
			}
		}
		for _, set := range s.Sets {
			if _, err := set.Source.Splits(data.Places{}); !errors.Is(err, data.ErrAbsent) && err != nil {
				t.Errorf("%s: %v", set.Name, err)
			}
		}
	}
}
