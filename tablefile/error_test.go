//go:build !lean

package tablefile_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"beziergp/table"
	"beziergp/tablefile"
)

const (
	mend    = "; mend the value, or exclude the column"
	missing = "; fill it in, remove the row or exclude the column"
	header  = "; the first line gives every column a name of its own, in UTF-8"
	convert = "; convert it to CSV"
	other   = "; convert it to CSV, Parquet or Arrow"
	unpack  = "; unpack it, or pack it by gzip or zstd alone"
	double  = "; double the quotation marks in a quoted value"
	before  = "; give the table's file; where a model is given too, it comes before"
	damaged = "the gzip data are damaged or cut short; fetch or compress the file again"
)

// Each fault of a cell of t.csv is an *Error of this text where the file is read row
// by row, as numbers.
func TestFaultsOfCells(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,2\n3,three\n": `t.csv: row 2 (line 3), column "b": "three" is not a number` + mend + `, or give --na three if that is a missing value`,
		"a,b\n1,2\n\n\n3,\n":  `t.csv: row 2 (line 5), column "b": there is no value` + missing,
		"a,b\n1,2\n  ,3\n":    `t.csv: row 2 (line 3), column "a": there is no value` + missing,
		"a\n1\n \n":           `t.csv: row 2 (line 3), column "a": there is no value` + missing,
		"a\nNaN\n":            `t.csv: row 1 (line 2), column "a": "NaN" stands for a missing value` + missing,
		"a\nNA\n":             `t.csv: row 1 (line 2), column "a": "NA" stands for a missing value` + missing,
		"a\n-inf\n":           `t.csv: row 1 (line 2), column "a": "-inf" is not finite` + mend,
		"a\nInfinity\n":       `t.csv: row 1 (line 2), column "a": "Infinity" is not finite` + mend,
		"a\n1e400\n":          `t.csv: row 1 (line 2), column "a": "1e400" is too large for a 64-bit number; rescale the column, or exclude the column`,
		"a\n-1e400\n":         `t.csv: row 1 (line 2), column "a": "-1e400" is too large for a 64-bit number; rescale the column, or exclude the column`,
		"a\n0x1p-2\n":         `t.csv: row 1 (line 2), column "a": "0x1p-2" is not a number` + mend,
		"a\n0x_1p4\n":         `t.csv: row 1 (line 2), column "a": "0x_1p4" is not a number` + mend,
		"a\n1_000\n":          `t.csv: row 1 (line 2), column "a": "1_000" is not a number` + mend,
		"a\n1e\n":             `t.csv: row 1 (line 2), column "a": "1e" is not a number` + mend,
		"a\n-\n":              `t.csv: row 1 (line 2), column "a": "-" is not a number` + mend + `, or give --na - if that is a missing value`,
		"a\n1 2\n":            `t.csv: row 1 (line 2), column "a": "1 2" is not a number` + mend,
		"a\n٣\n":              `t.csv: row 1 (line 2), column "a": "٣" is not a number` + mend,
		"a,b\n\"1,5\",2\n":    `t.csv: row 1 (line 2), column "a": "1,5" is not a number; write a decimal point, no comma, or exclude the column`,
		"a\n\"x\ny\x07\"\n":   `t.csv: row 1 (line 2), column "a": "x\ny\a" is not a number` + mend,
		"a\n1\n\x1b[2J\xff\n": `t.csv: row 2 (line 3), column "a": "\x1b[2J\xff" is not a number` + mend,
		"a\n" + strings.Repeat("ä", 1000) + "\n": `t.csv: row 1 (line 2), column "a": "` +
			strings.Repeat("ä", 40) + "…(1000 characters)…" + strings.Repeat("ä", 40) + `" is not a number` + mend,
		// Line breaks in quotes are lines too.
		"a,\"b\nc\"\n1,2\n3,\"\n\n4\"\n5,x\n": `t.csv: row 3 (line 7), column "b\nc": "x" is not a number` + mend + `, or give --na x if that is a missing value`,

		"a,b\n\"\n\n1\",x\n": `t.csv: row 1 (line 4), column "b": "x" is not a number` + mend + `, or give --na x if that is a missing value`,
	} {
		checkFault(t, text, want, rowByRow)
	}
}

// What is wrong with a column as a whole is told by its first cell that is unlike most.
func TestFaultsOfColumns(t *testing.T) {
	const or = ", or give --column a=category or --column a=drop"
	for text, want := range map[string]string{
		"a\n1\n2\nred\nblue\n3\n": `t.csv: row 3 (line 4), column "a": "red" is not a number; mend the value` + or + ", or --na red if that is a missing value",
		"a\nred\n1\n2\n":          `t.csv: row 1 (line 2), column "a": "red" is not a number; mend the value` + or + ", or --na red if that is a missing value",
		"a\n1\nred\n":             `t.csv: row 2 (line 3), column "a": "red" is not a number; mend the value` + or + ", or --na red if that is a missing value",
		"a\n1\ntrue\n":            `t.csv: row 2 (line 3), column "a": "true" is not a number; mend the value` + or,
		"a\n1\n2024-01-01\n":      `t.csv: row 2 (line 3), column "a": "2024-01-01" is not a number; mend the value` + or,
		"a\nNA\n-inf\n":           `t.csv: row 2 (line 3), column "a": "-inf" is not finite; mend the value` + or,
		"a\n1e400\n":              `t.csv: row 1 (line 2), column "a": "1e400" is too large for a 64-bit number; rescale the column` + or,
		"a\n\"1,5\"\n":            `t.csv: row 1 (line 2), column "a": "1,5" is not a number; write a decimal point, no comma` + or,
		"a\n\"1,500.5\"\n2\n":     `t.csv: row 1 (line 2), column "a": "1,500.5" is not a number; write 1500.5, without separators of thousands` + or,
		"a\n\"1,500\"\n2\n":       `t.csv: row 1 (line 2), column "a": "1,500" is not a number; write 1500, or 1.500 if the comma is a decimal one` + or,
		"a\n\"-1,500,000\"\n2\n":  `t.csv: row 1 (line 2), column "a": "-1,500,000" is not a number; write -1500000, without separators of thousands` + or,
		"a\n\"1,50,000\"\n2\n":    `t.csv: row 1 (line 2), column "a": "1,50,000" is not a number; write a decimal point, no comma` + or,
		"\"x\ny\"\n1\nz\n":        `t.csv: row 2 (line 4), column "x\ny": "z" is not a number; mend the value, or give --column "x\ny=category" or --column "x\ny=drop", or --na z if that is a missing value`,
		"a\n2024-01-01\n2024-01-02\nlater\n": `t.csv: row 3 (line 4), column "a": "later" is not a date or a time as ISO 8601 writes it; ` +
			`write it as in 2024-02-29 or 2024-02-29T13:45:30Z` + or + ", or --na later if that is a missing value",
		"a\nred\n\"blue\xff\"\n": `t.csv: row 2 (line 3), column "a": "blue\xff" is not UTF-8; save the file as UTF-8, or exclude the column`,
	} {
		checkFault(t, text, want, whole)
	}
}

// A column that is needed cannot be left out, and nobody is told to.
func TestFaultsOfNeededColumns(t *testing.T) {
	for text, want := range map[string]string{
		"a\n1\n2\nred\n3\n":                  `"red" is not a number; mend the value, or remove the row, or give --column a=category, or --na red if that is a missing value`,
		"a\n2024-01-01\n2024-01-02\nlater\n": `or remove the row, or give --column a=category, or --na later`,
	} {
		_, err := tablefile.Read(t.Context(), file(t, "t.csv", text), tablefile.Options{Needed: []string{"a"}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "drop") {
			t.Errorf("%v, want an error that says %q", err, want)
		}
		if _, err = tablefile.Read(t.Context(), file(t, "t.csv", text), tablefile.Options{Needed: []string{"a"}, Kinds: map[string]table.Kind{"a": table.Numeric}}); err == nil || strings.Contains(err.Error(), "exclude") {
			t.Errorf("as numbers: %v", err)
		}
	}
}

// Each fault of the file t.csv is an *Error of this text, however it is read.
func TestFaults(t *testing.T) {
	packed := zip("a,b\n" + strings.Repeat("1.25,2\n", 2000))
	damagedSum := packed[:len(packed)-8] + "\x00\x00\x00\x00" + packed[len(packed)-4:]
	for text, want := range map[string]string{
		"a,b\n1,2\n3\n":       `t.csv: row 2 (line 3): the row has length 1, the header 2; complete the row or remove it`,
		"a,b\n1,2\n1,5,2,0\n": `t.csv: row 2 (line 3): the row has length 4, the header 2; remove what is too much, or quote values that hold a separator`,
		"a,b\n1,2,3\n":        `t.csv: row 1 (line 2): the row has length 3, the header 2; remove what is too much, quote values that hold a separator, or name the column that the header lacks`,
		"# deliveries\na,b\n": `t.csv: row 1 (line 2): the row has length 2, the header 1; the first line names all columns: remove titles and remarks above it`,
		"a,b\n1,\"2\n3,4\n":   `t.csv: row 1 (line 2): a quotation mark is out of place or has no partner, noticed on line 3` + double,
		"a,b\n1,2\n1,2\"\n":   `t.csv: row 2 (line 3): a quotation mark is out of place or has no partner` + double,
		"a,\"b\"c\n1,2\n":     `t.csv: line 1: a quotation mark is out of place or has no partner` + double,

		"":                `t.csv: empty: there is not even a header; the first line names the columns, the others hold the rows`,
		"\n\n":            `t.csv: empty: there is not even a header; the first line names the columns, the others hold the rows`,
		"\xef\xbb\xbf":    `t.csv: empty: there is not even a header; the first line names the columns, the others hold the rows`,
		zip(""):           `t.csv: empty: there is not even a header; the first line names the columns, the others hold the rows`,
		"a,b\n":           `t.csv: the table has no rows; give at least one row`,
		"a,b":             `t.csv: the table has no rows; give at least one row`,
		"a,b,a\n1,2,3\n":  `t.csv: line 1: columns 1 and 3 are both called "a"` + header,
		"a, a\n1,2\n":     `t.csv: line 1: columns 1 and 2 are both called "a"` + header,
		"\n,b\n1,2\n":     `t.csv: line 2: column 1 has no name` + header + "; the index of a frame is left out by index=False in pandas",
		"a,b,\n1,2,\n":    `t.csv: line 1: column 3 has no name` + header,
		"a,gr\xf6\n1,2\n": `t.csv: line 1: the name of column 2, "gr\xf6", is not UTF-8` + header,

		"a,b\r1,2\r3,4\r":               `t.csv: line 1: lines end in CR alone; end them in LF or CRLF`,
		"\xff\xfea\x00\n\x001\x00":      `t.csv: line 1: this is UTF-16 text; save it as UTF-8`,
		"\xff\xfe\x00\x00a\x00\x00\x00": `t.csv: line 1: this is UTF-32 text; save it as UTF-8`,
		"\x00\x00\xfe\xff\x00\x00\x00a": `t.csv: line 1: this is UTF-32 text; save it as UTF-8`,
		"\xff\xff\xff\xff\x10\x00\x00":  `t.csv: this is not a CSV file but binary data, as an Arrow stream is; write an Arrow file, or Parquet or CSV`,
		"BZh91AY&SY\x00\x1b":            `t.csv: this is not a CSV file but bzip2 data` + unpack,
		"\xfd7zXZ\x00\x00\x04":          `t.csv: this is not a CSV file but xz data` + unpack,
		zip(packed):                     `t.csv: this is not a CSV file but gzip data` + unpack,
		"sep=;\na;b\n1;2\n":             `t.csv: line 1: "sep=;" names no columns; remove the line: separators are found without it`,
		`{"a":1,"b":"x"}` + "\n":        `t.csv: this is not a CSV file but JSON` + other,
		"\n[\n {\"a\": 1}\n]":           `t.csv: this is not a CSV file but JSON` + other,
		`[{"a":1},{"a":2}]`:             `t.csv: this is not a CSV file but JSON` + other,
		"<!DOCTYPE html>\n<html>":       `t.csv: this is not a CSV file but a page of HTML or XML; give the table itself; where the file was fetched, its address led to a page`,
		"PAR1\x15\x04\x15\x10\x4c": `t.csv: this cannot be decoded as Parquet (parquet: file is smaller than indicated metadata size); ` +
			`the file is damaged, cut short or of another format: write or fetch it again`,
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rI": `t.csv: this is not a CSV file but binary data` + convert,
		"PK\x03\x04\x14":                   `t.csv: this is not a CSV file but a ZIP archive, as workbooks of Excel are; unpack it, or save the sheet as CSV`,
		"SQLite format 3\x00":              `t.csv: this is not a CSV file but an SQLite database; read it by --from sqlite:PATH and --query 'SELECT …'`,
		"a\x00,b\n1,2\n":                   `t.csv: line 1: the header holds the control character "\x00"; the first line names the columns in text; remove the character, or convert the file to CSV`,
		"price\x1b[2J,b\n1,2\n":            `t.csv: line 1: the header holds the control character "\x1b"; the first line names the columns in text; remove the character, or convert the file to CSV`,
		modelHead("model"):                 `t.csv: this is a model of this program, not a table` + before,
		modelHead("rival"):                 `t.csv: this is a model of this program, not a table` + before,
		modelHead("checkpoint"):            `t.csv: this is a checkpoint of this program, not a table` + before,
		"a,b\n1,2\n\x00\x00\x00":           `t.csv: this is not a CSV file but binary data` + convert,
		zip("PAR1\x15\x00"):                `t.csv: this is not a CSV file but Parquet; unpack it`,

		"\x1f\x8b":                `t.csv: ` + damaged,
		"\x1f\x8b\x08\x00\x00":    `t.csv: ` + damaged,
		"\x1f\x8bnot gzip at all": `t.csv: ` + damaged,
		packed[:40]:               `t.csv: ` + damaged,
		packed[:len(packed)-3]:    `t.csv: row 2001: ` + damaged,
		damagedSum:                `t.csv: row 2001: ` + damaged,
		packed + "rubbish":        `t.csv: row 2001: ` + damaged,
	} {
		checkFault(t, text, want, whole)
		checkFault(t, text, want, rowByRow)
	}
}

// modelHead is how files of this program begin.
func modelHead(kind string) string {
	return "\x98\x28\x32\x00\x00\x00\x00\x00" + `{"__metadata__":{"beziergp.` + kind + `":"{}"}}`
}

// checkFault reads a file t.csv.
func checkFault(t *testing.T, text, want string, read func(path string) error) {
	t.Helper()
	path := file(t, "t.csv", text)
	err := read(path)
	var e *tablefile.Error
	if !errors.As(err, &e) || e.File != path {
		t.Errorf("%.60q: %v is no *Error of the file", text, err)
		return
	}
	e.File = "t.csv"
	if e.Error() != want {
		t.Errorf("%.60q:\n got %s\nwant %s", text, e, want)
	}
}

func whole(path string) error {
	_, err := tablefile.Read(context.Background(), path, tablefile.Options{})
	return err
}

// rowByRow reads a file one row at a time and returns what ends it.
func rowByRow(path string) error {
	r, err := tablefile.Open(path, tablefile.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	dst := make([][]float64, len(r.Names()))
	for k := range dst {
		dst[k] = make([]float64, 1)
	}
	for {
		if _, err := r.Next(dst); err != nil {
			if _, again := r.Next(dst); again != err {
				return errors.New("the error does not last")
			}
			return err
		}
	}
}

func TestFaultsOfPaths(t *testing.T) {
	dir := t.TempDir()
	_, err := tablefile.Open(filepath.Join(dir, "none.csv"), tablefile.Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), "none.csv: there is no such file; check the path") {
		t.Errorf("no file: %v", err)
	}
	var e *tablefile.Error
	under := filepath.Join(file(t, "t.csv", "a\n1\n"), "u.csv") // a file is no directory
	if _, err = tablefile.Open(under, tablefile.Options{}); !errors.As(err, &e) || e.File != under ||
		strings.Count(err.Error(), under) != 1 {
		t.Errorf("file in a file: %v", err)
	}
	if _, err = tablefile.Open(dir, tablefile.Options{}); !errors.As(err, &e) || e.Problem != "this is a directory" {
		t.Errorf("directory: %v", err)
	}
	if _, err = tablefile.Open("-", tablefile.Options{}); err == nil ||
		err.Error() != "standard input: there is none to read; give a file" {
		t.Errorf("no standard input: %v", err)
	}
	stdin := tablefile.Options{Stdin: strings.NewReader("a\n1\nx\n")}
	if _, err = tablefile.Read(context.Background(), "-", stdin); err == nil ||
		!strings.HasPrefix(err.Error(), `standard input: row 2 (line 3), column "a": "x"`) {
		t.Errorf("standard input: %v", err)
	}
	piped := tablefile.Options{Stdin: strings.NewReader("PAR1\x15\x00")}
	if _, err = tablefile.Open("-", piped); err == nil || err.Error() != "standard input: Parquet cannot be read from a pipe; give its file" {
		t.Errorf("Parquet from a pipe: %v", err)
	}
	if _, err = tablefile.Open(file(t, "t.csv", "a\n1\n"), tablefile.Options{Comma: '"'}); !errors.As(err, &e) {
		t.Errorf("separator: %v", err)
	}
}

// A disk that fails is not taken for the end of the file, nor for damaged gzip.
func TestFaultOfTheDisk(t *testing.T) {
	for _, text := range []string{"", "a", "a,b\n1,2\n3", "a,b\n1,2\n"} {
		broken := io.MultiReader(strings.NewReader(text), iotest.ErrReader(&fs.PathError{Op: "read", Err: io.ErrClosedPipe}))
		r, err := tablefile.NewReader(broken, "t.csv", tablefile.Options{})
		if err == nil {
			_, err = r.ReadAll(context.Background())
		}
		var e *tablefile.Error
		if !errors.As(err, &e) || !errors.Is(err, io.ErrClosedPipe) || !strings.HasPrefix(e.Problem, "cannot be read") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSelectRefuses(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"room"}, `t.csv: column "room": there is no such column; did you mean "rooms"?`},
		{[]string{"rooms", "price"}, `t.csv: column "price": there is no such column; there are "rooms", "area"`},
		{[]string{"area", "area"}, `t.csv: wrong choice of columns: columns 1 and 2 are both called "area"`},
		{nil, `t.csv: wrong choice of columns: a table needs at least one column`},
	} {
		r, err := tablefile.NewReader(strings.NewReader("rooms,area\n3,70\n"), "t.csv", tablefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Select(c.names...); err == nil || err.Error() != c.want {
			t.Errorf("Select(%q): %v, want %s", c.names, err, c.want)
		}
		got, err := r.ReadAll(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		checkTable(t, got, []string{"rooms", "area"}, [][]float64{{3}, {70}})
	}
	var unknown *table.UnknownError
	r, _ := tablefile.NewReader(strings.NewReader("a\n"), "t.csv", tablefile.Options{})
	if err := r.Select("b"); !errors.As(err, &unknown) || unknown.Name != "b" {
		t.Errorf("the cause of an unknown column is %v", unknown)
	}
}
