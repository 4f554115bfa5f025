package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beziergp/bench/record"
	"beziergp/plot/canvas"
)

var update = flag.Bool("update", false, "write the golden files")

// someRecords are made up: two sets, ours, a rival that wins on one of them, a peer's script
// on another machine that has no CRPS, a failure, and fits of the other suites.
func someRecords() (all []record.Record) {
	add := func(suite, set, method string, split int, rmse, nlpd, seconds float64, change func(*record.Record)) {
		r := record.Record{
			Suite: suite, Set: set, Split: split, Method: method, Options: []string{}, Rows: 90, TestRows: 10, Inputs: 3,
			RMSE: of(rmse), NLPD: of(nlpd), CRPS: of(rmse / 2), Coverage95: of(0.95), FitSeconds: seconds, PredictSeconds: 0.01,
			PeakMemory: 30e6, Version: "beziergp v1", Processor: "Processor", Workers: 2, Time: time.Unix(0, 0),
		}
		if change != nil {
			change(&r)
		}
		all = append(all, r)
	}
	for split := range 3 {
		shift := float64(split)
		add("uci", "energy", "BezierGP nu=20", split, 0.4+0.1*shift, 0.5, 10, nil)
		add("uci", "energy", "BezierGP auto", split, 0.3+0.1*shift, -0.25, 20, nil)
		add("uci", "energy", "Linear", split, 3, 2.5, 0.1, nil)
		add("uci", "boston", "BezierGP auto", split, 2.6, 2.25, 20, nil)
		add("uci", "boston", "Linear", split, 4.5, 3, 0.1, nil)
		if split < 2 {
			add("uci", "boston", "SGPR m=100", split, 1, 1, 3, nil)
		}
		add("uci", "boston", "XGBoost", split, 2.5, 2.375, 1, func(r *record.Record) {
			r.CRPS, r.Version, r.Processor, r.PeakMemory = nil, "xgboost 3", "Other", 0
			r.CPUSeconds, r.Beside = 1.5, of(1.25)
		})
	}
	add("uci", "boston", "Exact GP", 0, 0, 0, 0, func(r *record.Record) {
		r.RMSE, r.NLPD, r.CRPS, r.Coverage95, r.Error = nil, nil, nil, nil, "does not fit: a | b"
	})
	add("permutations", "bike", "BezierGP nu=20 r=1", 0, 0.15, -0.5, 2, nil)
	add("permutations", "bike", "BezierGP nu=20 r=10", 0, 0.09, -0.7, 9, nil)
	add("large", "year-like", "BezierGP auto", 0, 0.3, 0.2, 100, func(r *record.Record) { r.Floor = of(0.25) })
	for i, n := range []string{"1000", "2000", "4000"} {
		add("scaling", "rows="+n, "BezierGP", 0, 1, 1, []float64{1, 2, 4}[i], nil)
	}
	return all
}

func write(t *testing.T, records []record.Record) (dir string) {
	t.Helper()
	published, err := ReadPublished(filepath.Join("testdata", "published.csv"))
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "benchmarks")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, records, published, canvas.SVG); err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestGolden(t *testing.T) {
	dir := write(t, someRecords())
	for made, golden := range map[string]string{dir + ".md": "benchmarks.md", filepath.Join(dir, "uci.csv"): "uci.csv"} {
		got, golden := read(t, made), filepath.Join("testdata", golden)
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := read(t, golden); !bytes.Equal(got, want) {
			t.Errorf("%s differs (go test -update writes it anew):\n%s", golden, got)
		}
	}
	for _, suite := range []string{"uci", "permutations", "large", "scaling"} {
		if picture := read(t, filepath.Join(dir, suite+".svg")); !bytes.Contains(picture, []byte("</svg>")) {
			t.Errorf("%s.svg is no picture", suite)
		}
	}
}

// The order in which fits end, and that of files, is of no account.
func TestThePageIsThatOfTheRecords(t *testing.T) {
	backwards := someRecords()
	slices.Reverse(backwards)
	one, other := write(t, someRecords()), write(t, backwards)
	for _, name := range []string{".md", "/uci.csv", "/uci.svg", "/scaling.svg"} {
		if !bytes.Equal(read(t, one+name), read(t, other+name)) {
			t.Errorf("%s depends on the order of the records", name)
		}
	}
}

func TestReadPublishedNamesThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"set,method\n": `line 1: there is no column "rmse"`,
		"set,method,rmse,rmse_sd,ll,ll_sd,units,source\na,b,1,,x,,,\n": `line 2: column "ll": "x" is not a number`,
		"set,method,rmse,rmse_sd,ll,ll_sd,units,source\na,b\n":         "line 2",
		"": "EOF",
	} {
		path := filepath.Join(t.TempDir(), "p.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPublished(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
