package tablefile_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"beziergp/table"
	"beziergp/tablefile"
)

var nan = math.NaN()

// checkColumn compares a column with its kind, levels and values, NaN being NaN.
func checkColumn(t *testing.T, tab *table.Table, want table.Column) {
	t.Helper()
	field, _ := tab.Field(want.Name)
	values, _ := tab.Column(want.Name)
	if !reflect.DeepEqual(field, want.Field()) || fmt.Sprint(values) != fmt.Sprint(want.Values) {
		t.Errorf("column %+v of values %v, want %+v of %v", field, values, want.Field(), want.Values)
	}
}

func TestKindsInferred(t *testing.T) {
	for text, want := range map[string]table.Column{
		"1,?,2.5,NA,n/a,None":     {Kind: table.Numeric, Values: []float64{1, nan, 2.5, nan, nan, nan}},
		"NaN,nan,-nan,NULL,null":  {Kind: table.Numeric, Values: []float64{nan, nan, nan, nan, nan}},
		"true,FALSE,Yes,n,T,,f":   {Kind: table.Boolean, Values: []float64{1, 0, 1, 0, 1, nan, 0}},
		"0,1,1":                   {Kind: table.Numeric, Values: []float64{0, 1, 1}},
		"red,,blue,red":           {Kind: table.Category, Levels: []string{"blue", "red"}, Values: []float64{1, nan, 0, 1}},
		"No,,No":                  {Kind: table.Category, Levels: []string{"No"}, Values: []float64{0, nan, 0}},
		"no,No":                   {Kind: table.Boolean, Values: []float64{0, 0}},
		"T,T":                     {Kind: table.Category, Levels: []string{"T"}, Values: []float64{0, 0}},
		"true,True":               {Kind: table.Boolean, Values: []float64{1, 1}},
		"y,yes":                   {Kind: table.Boolean, Values: []float64{1, 1}},
		"no,maybe,yes":            {Kind: table.Category, Levels: []string{"maybe", "no", "yes"}, Values: []float64{1, 0, 2}},
		"a,1.0,b,1,c,d":           {Kind: table.Category, Levels: []string{"1", "a", "b", "c", "d"}, Values: []float64{1, 0, 2, 0, 3, 4}},
		"1970-01-02,NA":           {Kind: table.DateTime, Values: []float64{86400, nan}},
		"x,inf,y,z":               {Kind: table.Category, Levels: []string{"inf", "x", "y", "z"}, Values: []float64{1, 0, 2, 3}},
		"1970-01-02,a,b":          {Kind: table.Category, Levels: []string{"1970-01-02", "a", "b"}, Values: []float64{0, 1, 2}},
		"1970-01-01T00:00:00.5,?": {Kind: table.DateTime, Values: []float64{0.5, nan}},
	} {
		want.Name = "c"
		csv := "id,c\n" + "0," + strings.ReplaceAll(text, ",", "\n0,") + "\n"
		tab, err := tablefile.Read(context.Background(), file(t, "t.csv", csv), tablefile.Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		checkColumn(t, tab, want)
	}
}

// Slices of Go make the columns that a file of the same values makes.
func TestColumnsOfGoValuesAreThoseOfFiles(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	csv := "n,k,b,c,t\n1.5,-7,true,red,2024-02-29T12:00:00.123456789+01:00\n,9007199254740993,false,,\n-0.1,0,true,blue,1969-12-31T23:59:59.75Z\n"
	tab, err := tablefile.Read(context.Background(), file(t, "t.csv", csv), tablefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []table.Column{
		table.ColumnOf("n", []float64{1.5, nan, -0.1}),
		table.ColumnOf("k", []int64{-7, 9007199254740993, 0}),
		table.ColumnOf("b", []bool{true, false, true}),
		table.ColumnOf("c", []string{"red", "", "blue"}),
		table.ColumnOf("t", []time.Time{at("2024-02-29T12:00:00.123456789+01:00"), {}, at("1969-12-31T23:59:59.75Z")}),
	} {
		checkColumn(t, tab, want)
	}
}

func TestKindsGiven(t *testing.T) {
	path := file(t, "t.csv", "zip,won,day,n\n00501,1,2024-01-01,1\n501,0,NA,2\n501,yes,1970-01-01,3\n")
	tab, err := tablefile.Read(context.Background(), path, tablefile.Options{
		Kinds: map[string]table.Kind{"zip": table.Category, "won": table.Boolean, "day": table.Category}})
	if err != nil {
		t.Fatal(err)
	}
	checkColumn(t, tab, table.Column{Name: "zip", Kind: table.Category, Levels: []string{"00501", "501"}, Values: []float64{0, 1, 1}})
	checkColumn(t, tab, table.Column{Name: "won", Kind: table.Boolean, Values: []float64{1, 0, 1}})
	checkColumn(t, tab, table.Column{Name: "day", Kind: table.Category, Levels: []string{"1970-01-01", "2024-01-01"}, Values: []float64{1, nan, 0}})
	checkColumn(t, tab, table.Column{Name: "n", Kind: table.Numeric, Values: []float64{1, 2, 3}})
	for kind, want := range map[table.Kind]string{
		table.Numeric:  `row 3 (line 4), column "won": "yes" is not a number; mend the value, or give --column won=category or --column won=drop`,
		table.DateTime: `row 1 (line 2), column "won": "1" is not a date or a time as ISO 8601 writes it; write it as in`,
	} {
		_, err := tablefile.Read(context.Background(), path, tablefile.Options{Kinds: map[string]table.Kind{"won": kind}}, "won")
		if err == nil || !strings.HasPrefix(err.Error(), path+": "+want[:strings.Index(want, ";")]) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	var unknown *table.UnknownError
	if _, err := tablefile.Open(path, tablefile.Options{Kinds: map[string]table.Kind{"wn": table.Numeric}}); !errors.As(err, &unknown) {
		t.Errorf("a kind for no column: %v", err)
	}
}

// long returns a table whose column c holds first in more rows than a first look
// sees, and then last as often as told.
func long(first, last string, times int) string {
	var b strings.Builder
	b.WriteString("i,c\n")
	const rows = 100_000
	for i := range rows + times {
		fmt.Fprintf(&b, "%d,%s\n", i, map[bool]string{true: first, false: last}[i < rows])
	}
	return b.String()
}

func TestColumnsThatChangeTheirMind(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		first, last string
		times       int
		want        table.Kind
		levels      int
	}{
		{"1", "red", 100_001, table.Category, 2},
		{"2024-01-01", "red", 100_001, table.Category, 2},
		{"yes", "red", 1, table.Category, 2},
		{"", "red", 1, table.Category, 1},
		{"", "true", 1, table.Boolean, 0},
		{"", "yes", 1, table.Category, 1},
		{"", "2024-01-01", 1, table.DateTime, 0},
		{"red", "1", 99_999, table.Category, 2},
	} {
		text := long(c.first, c.last, c.times)
		for name, content := range map[string]string{"plain.csv": text, "packed.csv.gz": zip(text)} {
			tab, err := tablefile.Read(ctx, file(t, name, content), tablefile.Options{})
			if err != nil {
				t.Errorf("%s, then %s: %v", c.first, c.last, err)
				continue
			}
			field, _ := tab.Field("c")
			i, _ := tab.Column("i")
			values, _ := tab.Column("c")
			if field.Kind != c.want || len(field.Levels) != c.levels || len(values) != 100_000+c.times || i[100_000] != 100_000 {
				t.Errorf("%q, then %q: %+v of %d values", c.first, c.last, field, len(values))
			}
			if c.levels == 2 && values[0] == values[len(values)-1] {
				t.Errorf("%q, then %q: both are %v", c.first, c.last, values[0])
			}
		}
	}
	_, err := tablefile.Read(ctx, "-", tablefile.Options{Stdin: strings.NewReader(long("1", "red", 100_001))})
	if want := `standard input: row 100001 (line 100002), column "c": "red" is not a number; the values before it are of another kind ` +
		`than most of the column, and standard input cannot be read twice: give --column c=category`; err == nil || err.Error() != want {
		t.Errorf("standard input: %v", err)
	}
	tab, err := tablefile.Read(ctx, "-", tablefile.Options{Stdin: strings.NewReader(long("", "red", 3))})
	if err != nil {
		t.Fatalf("standard input, late text: %v", err)
	}
	if f, _ := tab.Field("c"); !reflect.DeepEqual(f.Levels, []string{"red"}) {
		t.Errorf("standard input, late text: %+v", f)
	}
	tab, err = tablefile.Read(ctx, "-", tablefile.Options{Stdin: strings.NewReader(long("1", "red", 100_001)),
		Kinds: map[string]table.Kind{"c": table.Category}})
	if err != nil || tab.Rows() != 200_001 {
		t.Errorf("standard input, kind given: %v", err)
	}
	// One text among numbers is a fault of that text, wherever it stands.
	_, err = tablefile.Read(ctx, file(t, "t.csv", long("1", "red", 3)), tablefile.Options{})
	if err == nil || !strings.Contains(err.Error(), `row 100001 (line 100002), column "c": "red" is not a number; mend the value, or give`) {
		t.Errorf("late text: %v", err)
	}
}

// The codes of levels do not depend on the order of rows.
func TestLevelsAreInOrder(t *testing.T) {
	for _, text := range []string{"c\nx\ny\nz\n", "c\nz\nx\ny\n"} {
		tab, err := tablefile.Read(context.Background(), file(t, "t.csv", text), tablefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f, _ := tab.Field("c"); !reflect.DeepEqual(f.Levels, []string{"x", "y", "z"}) {
			t.Errorf("levels %q of %q", f.Levels, text)
		}
	}
}

func TestSchema(t *testing.T) {
	schema := []table.Field{
		{Name: "colour", Kind: table.Category, Levels: []string{"blue", "red"}}, {Name: "code", Kind: table.Category, Levels: []string{"1", "2"}},
		{Name: "sold", Kind: table.Boolean}, {Name: "day", Kind: table.DateTime}, {Name: "size"}, {Name: "absent"},
	}
	text := "day,size,sold,code,colour,id\n1970-01-02,1,0,1.0,red,x\nNA,?,yes,2,green,x\n1970-01-01 00:01,2,False,3,,x\n"
	want := [][]float64{{1, 2, nan}, {0, 1, 2}, {0, 1, 0}, {86400, nan, 60}, {1, nan, 2}}
	names := []string{"colour", "code", "sold", "day", "size"}
	r, err := tablefile.NewReader(strings.NewReader(text), "t.csv", tablefile.Options{Schema: schema})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Select(names...); err != nil {
		t.Fatal(err)
	}
	dst := make([][]float64, len(names))
	for k := range dst {
		dst[k] = make([]float64, 3)
	}
	if n, err := r.Next(dst); n != 3 || err != nil || fmt.Sprint(dst) != fmt.Sprint(want) {
		t.Errorf("Next: %d, %v, %v; want %v", n, err, dst, want)
	}
	if _, err := r.Next(dst); err != io.EOF {
		t.Errorf("Next at the end: %v", err)
	}
	tab, err := tablefile.Read(context.Background(), file(t, "t.csv", text), tablefile.Options{Schema: schema}, names...)
	if err != nil {
		t.Fatal(err)
	}
	for k, name := range names {
		checkColumn(t, tab, table.NewColumn(schema[k], want[k]))
		_ = name
	}
}

func TestSeparatorIsFound(t *testing.T) {
	for _, text := range []string{"a,b c\n1,2\n", "a\tb c\n1\t2\n", "a;b c\n1;2\n", "a|b c\n1|2\n", "\"a\";\"b c\"\r\n1;2\r\n", "\n\na\tb c\n1\t2\n"} {
		tab, err := tablefile.Read(context.Background(), "-", tablefile.Options{Stdin: strings.NewReader(text)})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		checkTable(t, tab, []string{"a", "b c"}, [][]float64{{1}, {2}})
	}
	tab, err := tablefile.Read(context.Background(), "-", tablefile.Options{Stdin: strings.NewReader("\"a,b;\",\"c;d;\"\n1,2\n")})
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, tab, []string{"a,b;", "c;d;"}, [][]float64{{1}, {2}})
	// A tab is a blank too, but between two of them a value is missing.
	tab, err = tablefile.Read(context.Background(), "-", tablefile.Options{Stdin: strings.NewReader("a\tb\n\t2\n")})
	if err != nil {
		t.Fatal(err)
	}
	checkColumn(t, tab, table.Column{Name: "a", Kind: table.Numeric, Values: []float64{nan}})
}

func TestFilesAreOneTable(t *testing.T) {
	dir := t.TempDir()
	var packed strings.Builder
	z, _ := zstd.NewWriter(&packed)
	io.WriteString(z, "y,x\n50,5\n")
	z.Close()
	for name, text := range map[string]string{"a1.csv": "x,y\n1,10\n2,20\n", "a2.tsv": "y\tx\n30\t3\n", "a3.csv.gz": zip("x,y\n"), "a4.csv.zst": packed.String(),
		"b1.csv": "x,y\n1,2\n", "b2.csv": "x,z\n1,2\n", "c1.csv": "x\n1\n", "c2.csv": "x,y\n1,2\n", "d1.csv": "x\n1\n2\n", "d2.csv": "x\n3\nzz\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var read, total int64
	tab, err := tablefile.Read(context.Background(), filepath.Join(dir, "a*"), tablefile.Options{Progress: func(r, n int64) { read, total = r, n }})
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, tab, []string{"x", "y"}, [][]float64{{1, 2, 3, 5}, {10, 20, 30, 50}})
	if read != total || total <= 0 {
		t.Errorf("progress ends at %d of %d", read, total)
	}
	for pattern, want := range map[string]string{
		"b*": `b2.csv: column "y": there is no such column, but ` + filepath.Join(dir, "b1.csv") + ` has it`,
		"c*": `c2.csv: column "y": this column is not in ` + filepath.Join(dir, "c1.csv"),
		"d*": `d2.csv: row 2 (line 3), column "x": "zz" is not a number`,
		"e*": `e*: no file is of this pattern`,
		"[":  `[: this is no pattern`,
	} {
		if _, err := tablefile.Read(context.Background(), filepath.Join(dir, pattern), tablefile.Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", pattern, err, want)
		}
	}
	if _, err := tablefile.Read(context.Background(), file(t, "t.csv.zst", packed.String()[:len(packed.String())-3]), tablefile.Options{}); err == nil ||
		!strings.Contains(err.Error(), "the zstd data are damaged or cut short") {
		t.Errorf("zstd cut short: %v", err)
	}
}

func TestFirstRows(t *testing.T) {
	path := file(t, "t.csv", long("1", "red", 3))
	for _, rows := range []int{1, 2, 99_999, 100_000} {
		tab, err := tablefile.Read(context.Background(), path, tablefile.Options{Rows: rows})
		if err != nil || tab.Rows() != rows {
			t.Errorf("the first %d rows: %v", rows, err)
			continue
		}
		if values, _ := tab.Column("i"); values[rows-1] != float64(rows-1) {
			t.Errorf("the last of %d rows is %v", rows, values[rows-1])
		}
	}
}

// Real tables with text and gaps.
func TestRealTables(t *testing.T) {
	for set, want := range map[string]struct {
		rows, categories, missing int
		column                    string
	}{
		"blogfeedback": {60021, 0, 0, "y"},
		"beijing_air":  {420768, 2, 8739, "PM2.5"},
		"flights":      {303748, 4, 8852, "arr_delay"},
	} {
		t.Run(set, func(t *testing.T) {
			path := ""
			for _, data := range []string{"../shared/data", "../../shared/data"} {
				if p := filepath.Join(data, set, "data.csv.gz"); path == "" {
					if _, err := os.Stat(p); err == nil {
						path = p
					}
				}
			}
			if path == "" {
				t.Skip("the data set is not here")
			}
			tab, err := tablefile.Read(context.Background(), path, tablefile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			categories, missing := 0, 0
			for _, name := range tab.Names() {
				if f, _ := tab.Field(name); f.Kind == table.Category {
					categories++
				}
			}
			values, _ := tab.Column(want.column)
			for _, v := range values {
				if v != v {
					missing++
				}
			}
			if tab.Rows() != want.rows || categories != want.categories || missing != want.missing {
				t.Errorf("%d rows, %d categories, %d missing in %s; want %+v", tab.Rows(), categories, missing, want.column, want)
			}
		})
	}
}
