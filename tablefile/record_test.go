package tablefile

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// split returns the records of a text that is cut into chunks of about size bytes,
// the line where each begins, and whether a fault ended them.
func split(text string, comma byte, size int) (records [][]string, lines []int, faulty bool) {
	s, r, c := splitter{r: strings.NewReader(text), size: size, line: 1}, newRecords(comma), chunk{}
	for s.fill(&c) == nil {
		r.reset(c)
		for {
			found, fault := r.next()
			if fault != nil {
				return records, lines, true
			}
			if !found {
				break
			}
			var cells []string
			for _, cell := range r.cells {
				cells = append(cells, strings.TrimSpace(string(cell)))
			}
			records, lines = append(records, cells), append(lines, r.lineOf(0))
		}
	}
	return records, lines, false
}

// The records are those of encoding/csv, up to the first fault, however the text is
// cut into chunks.
func FuzzRecords(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a,b\r\n1,2\r\n\r\n\r3,4", "a,\"b\nc\"\n1,\" 2\n\"\n\n5,6", "\"\"\"\",\"x\r\ny\"\r\n1", "1,\"2\n3,4\n",
		"1,2\"\n", "a\n \n\n", ",\n,", "\"a\"b,c\n", " \"q\" ,x\n", "\r", "\r\n", "1,\"\"\"", "\n\n\"\n\n\"\n\n1\n", "\"a\"\r", "a\rb,c\n",
	} {
		f.Add(seed, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
		var want [][]string
		var wantLines []int
		var err error
		for {
			var record []string
			if record, err = r.Read(); err != nil {
				break
			}
			for j := range record {
				record[j] = strings.TrimSpace(record[j])
			}
			line, _ := r.FieldPos(0)
			want, wantLines = append(want, record), append(wantLines, line)
		}
		for _, size := range []int{int(size) + 1, chunkSize} {
			got, lines, faulty := split(text, ',', size)
			if !slices.EqualFunc(got, want, slices.Equal) || !slices.Equal(lines, wantLines) || faulty != (err != io.EOF) {
				t.Errorf("%q in chunks of %d: %q from lines %v, faulty %v; want %q from %v, %v",
					text, size, got, lines, faulty, want, wantLines, err)
			}
		}
	})
}

// Of well-formed text no chunk begins or ends in a record.
func TestSplitterKeepsRecordsWhole(t *testing.T) {
	var text strings.Builder
	w := csv.NewWriter(&text)
	var want [][]string
	for i := range 300 {
		record := []string{fmt.Sprint(i), strings.Repeat("x\n\"y,", i%7), strings.Repeat("z", i%50)}
		want = append(want, record)
		w.Write(record)
	}
	w.Flush()
	for _, size := range []int{1, 2, 3, 10, 64, 1000, 1 << 20} {
		if got, _, faulty := split(text.String(), ',', size); faulty || !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("chunks of %d: %d records, faulty %v", size, len(got), faulty)
		}
	}
}

// What cells alone cost, on one processor.
func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("1234.567,89.25,-0.125,3,1e-3\n", 100_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s, r, c := splitter{r: strings.NewReader(text), size: chunkSize, line: 1}, newRecords(','), chunk{}
		for s.fill(&c) == nil {
			r.reset(c)
			for found, _ := r.next(); found; found, _ = r.next() {
			}
		}
	}
}
