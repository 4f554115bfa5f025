package modelfile

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/safetensors"
	"beziergp/table"
)

// inputs are scalings of every kind.
func inputs(t *testing.T) []box.Input {
	t.Helper()
	ranked, err := box.RankInput("r", []float64{1, 2, 4, 8, 8, math.NaN()})
	if err != nil {
		t.Fatal(err)
	}
	return []box.Input{
		{Name: "x", Lo: -1, Hi: 1, Declared: true},
		ranked, ranked.Widen(),
		{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}, Missing: true},
		{Name: "d", Kind: table.Category, Levels: []string{"a"}, Pooled: box.Pool("d", []string{"a"}, []string{"some person", "another person"})},
		{Name: "at.hour", Column: "at", Kind: table.DateTime, Part: box.Hour, Hi: 24},
	}
}

func TestInputsComeBack(t *testing.T) {
	want := inputs(t)
	var n Numbers
	text, err := WriteInputs(want, &n)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "person") {
		t.Errorf("the name of a rare level is in %s", text)
	}
	lists, err := ReadLists(&safetensors.File{Tensors: map[string]safetensors.Tensor{Tensor: n.Tensor()}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadInputs(text, lists, len(want), true)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for name, c := range map[string]struct{ old, new, says string }{
		"knots elsewhere": {`"knots":[0,4]`, `"knots":[9000000000000000000,4]`, "a list of 4 numbers"},
		"knots below 0":   {`"knots":[0,4]`, `"knots":[-1,4]`, "from number -1"},
		"fewer than none": {`"knots":[0,4]`, `"knots":[0,-4]`, "a list of -4"},
		"too many":        {`"knots":[0,4]`, `"knots":[1,9223372036854775807]`, "a list of"},
		"knots twice":     {`"by_ranks"`, `"knots":[1,2],"by_ranks"`, "knots twice"},
		"levels twice":    {`"rare_levels"`, `"pooled":["x"],"rare_levels"`, "rare levels twice"},
		"no key":          {`"key":"`, `"key":"x`, "no key"},
		"no hexadecimal":  {`"key":"`, `"key":"zz","kez":"`, "no key"},
	} {
		_, err := ReadInputs([]byte(strings.Replace(string(text), c.old, c.new, 1)), lists, len(want), true)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
	}
}

func TestNoMoreInputsThanThereIsRoomFor(t *testing.T) {
	if _, err := ReadInputs([]byte(`[{"name":"a"},{"name":"b"}]`), nil, 1, true); err == nil {
		t.Error("two inputs where one can be")
	}
	for _, none := range []string{``, `null`, `[]`} {
		if in, err := ReadInputs([]byte(none), nil, 1, true); err != nil || len(in) > 0 {
			t.Errorf("%q: %v, %v", none, in, err)
		}
	}
}

// Equal lists have one place.
func TestListsAreStoredOnce(t *testing.T) {
	var n Numbers
	a, b, c := n.Add([]float64{1, 2}), n.Add([]float64{1, 2}), n.Add([]float64{1})
	if a != b || a == c || len(n.all) != 3 {
		t.Errorf("places %v, %v, %v of %v", a, b, c, n.all)
	}
	if p, q := n.Add([]float64{0}), n.Add([]float64{math.Copysign(0, -1)}); p == q {
		t.Error("0 and −0 are one")
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := ReadLists(&safetensors.File{Tensors: map[string]safetensors.Tensor{Tensor: {Shape: []int{1}, Wide: []float64{bad}}}}); err == nil {
			t.Errorf("%g is a number", bad)
		}
	}
	for _, bad := range []float64{-1, 0.5, 1 << 53} {
		if _, err := WholeAt[int](Lists{bad}, Place{0, 1}, 1); err == nil {
			t.Errorf("%g is a whole number from 0 on", bad)
		}
	}
}

func TestUnmarshalIsStrict(t *testing.T) {
	var v any
	for _, bad := range []string{``, `{`, `{"a":1,"a":2}`, `{"a":1,"A":2}`, `[{"b":{"c":1,"c":1}}]`, `{"a":1} 2`, `{"a":NaN}`, `nothing`} {
		if Unmarshal([]byte(bad), &v) == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	for _, good := range []string{`{}`, `null`, `[{"a":1},{"a":2,"b":{"a":[]}}]`} {
		if err := Unmarshal([]byte(good), &v); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
}

// What is too long for a head is refused, by the column that is to blame.
func TestCheckStorable(t *testing.T) {
	all := inputs(t)
	if err := CheckStorable("y", all); err != nil {
		t.Fatal(err)
	}
	var n Numbers
	text, err := WriteInputs(all, &n)
	if err != nil {
		t.Fatal(err)
	}
	text, err = json.Marshal(string(text))
	if err != nil {
		t.Fatal(err)
	}
	// The estimate is not below what there is, and not far above: 200 bytes an input for
	// the scaling of the variance, 50 for places of many digits.
	if checkStorable("y", all, len(text)) == nil || checkStorable("y", all, len(text)+250*len(all)) != nil {
		t.Errorf("%d bytes are estimated wrongly", len(text))
	}
	long := append(inputs(t), box.Input{Name: "diary", Kind: table.Category, Levels: []string{strings.Repeat("<", 1000), "b"}})
	err = checkStorable("y", long, 5000)
	if err == nil || !strings.Contains(err.Error(), `column "diary"`) || !strings.Contains(err.Error(), "exclude it") {
		t.Errorf("error %v", err)
	}
	if err := checkStorable(strings.Repeat("y", 1000), all, 5000); err == nil || !strings.Contains(err.Error(), "target") {
		t.Errorf("error %v", err)
	}
	// One that is longer than all there may be is not even spelled out.
	huge := []box.Input{{Name: "scan", Kind: table.Category, Levels: []string{strings.Repeat("x", most+1), "b"}}}
	if err := CheckStorable("y", huge); err == nil || len(err.Error()) > 500 {
		t.Errorf("error %v", err)
	}
}
