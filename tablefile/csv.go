package tablefile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"beziergp/table"
	"beziergp/table/cell"
)

// csvBody is the rows of delimited text. While the chunks of one batch are parsed
// in parallel, the next batch is read; between two calls nothing runs.
type csvBody struct {
	source   *source
	splitter splitter
	header   []string
	comma    byte
	ahead    []*task // read, but not parsed
	last     []*task // whose blocks are in use
	spare    []*task
	workers  int
}

// task is a chunk and what is made of it.
type task struct {
	chunk
	block
	records *records
}

// openCSV reads the header.
func openCSV(s *source, comma rune) (*csvBody, error) {
	if comma >= 0x7f || comma < 0 || strings.ContainsRune("\"\r\n ", comma) {
		return nil, &Error{File: s.name, Problem: fmt.Sprintf("values cannot be separated by %q", comma)}
	}
	c := &csvBody{source: s, splitter: splitter{r: s.text, size: chunkSize, line: 1}, workers: runtime.GOMAXPROCS(0)}
	first := &task{}
	// Blank lines may fill the first chunks.
	for {
		if err := c.splitter.fill(&first.chunk); err == io.EOF {
			return nil, &Error{File: s.name, Problem: "empty: there is not even a header",
				Remedy: "the first line names the columns, the others hold the rows"}
		} else if err != nil {
			return nil, s.readError(err)
		}
		c.comma = byte(comma)
		if comma == 0 {
			c.comma = separator(first.text)
		}
		r := newRecords(c.comma)
		r.reset(first.chunk)
		found, fault := r.next()
		if fault != nil {
			fault.File = s.name
			return nil, fault
		}
		if !found {
			continue
		}
		for _, name := range r.cells {
			c.header = append(c.header, strings.TrimFunc(string(name), isBlank))
		}
		if err := table.CheckNames(c.header); err != nil {
			remedy := "the first line gives every column a name of its own, in UTF-8"
			if c.header[0] == "" {
				remedy += "; the index of a frame is left out by index=False in pandas"
			}
			return nil, &Error{File: s.name, Line: r.start, Problem: err.Error(), Remedy: remedy, Err: err}
		}
		first.text, first.line = first.text[r.at:], r.line
		break
	}
	c.ahead = append(c.ahead, first)
	return c, nil
}

// separator returns the separator that a header holds most often outside quotes, a
// comma if it holds none.
func separator(text []byte) byte {
	counts, quoted := [256]int{}, false
	for _, b := range bytes.TrimLeft(text, "\r\n") {
		if b == '\n' && !quoted {
			break
		}
		if b == '"' {
			quoted = !quoted
		} else if !quoted {
			counts[b]++
		}
	}
	best := byte(',')
	for _, b := range []byte("\t;|") {
		if counts[b] > counts[best] {
			best = b
		}
	}
	return best
}

// isBlank counts a byte order mark as the blank that it once was: joined files have
// two.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

func (c *csvBody) names() []string { return c.header }

func (c *csvBody) progress() (done, total int64) { return c.source.read, c.source.total }

func (c *csvBody) close() error { return c.source.close() }

// read fills the batch ahead.
func (c *csvBody) read() {
	for len(c.ahead) < 2*c.workers {
		t := &task{}
		if n := len(c.spare); n > 0 {
			t, c.spare = c.spare[n-1], c.spare[:n-1]
		}
		if c.splitter.fill(&t.chunk) != nil {
			break // the splitter says so again
		}
		c.ahead = append(c.ahead, t)
	}
}

func (c *csvBody) look(_ context.Context, plans []plan) (*block, error) {
	c.read()
	if len(c.ahead) == 0 {
		return &block{columns: make([]cells, len(plans))}, nil // next says why
	}
	c.parse(c.ahead[0], plans, math.MaxInt)
	return &c.ahead[0].block, nil
}

func (c *csvBody) next(_ context.Context, plans []plan) ([]*block, error) {
	c.spare, c.last = append(c.spare, c.last...), nil
	c.read() // the first time; later the batch is there
	now := c.ahead
	if len(now) == 0 {
		err := c.splitter.err
		if err == io.EOF {
			return nil, io.EOF
		}
		return nil, c.source.readError(err)
	}
	c.ahead = nil
	var taken atomic.Int64
	var done sync.WaitGroup
	for range min(c.workers, len(now)) {
		done.Go(func() {
			for i := taken.Add(1) - 1; i < int64(len(now)); i = taken.Add(1) - 1 {
				c.parse(now[i], plans, math.MaxInt)
			}
		})
	}
	c.read()
	done.Wait()
	blocks := make([]*block, len(now))
	for i, t := range now {
		blocks[i] = &t.block
	}
	c.last = now
	return blocks, nil
}

func (c *csvBody) shorten(i, rows int, plans []plan) *block {
	c.parse(c.last[i], plans, rows)
	return &c.last[i].block
}

// parse makes the block of a chunk, of its first rows.
func (c *csvBody) parse(t *task, plans []plan, rows int) {
	if t.records == nil {
		t.records = newRecords(c.comma)
	}
	r, b := t.records, &t.block
	r.reset(t.chunk)
	b.reset(len(plans))
	for b.rows < rows {
		found, fault := r.next()
		if !found {
			b.fault = fault
			return
		}
		if len(r.cells) != len(c.header) {
			b.fault = c.ragged(len(r.cells), r.start)
			return
		}
		for k := range plans {
			p, column := &plans[k], &b.columns[k]
			text := trim(r.cells[p.index])
			if p.form == numberForm {
				if v, ok := cell.Number(text); ok && !p.missing.Number(v) {
					if isWide(v) {
						column.wide.addText(text, v)
					}
					column.values = append(column.values, v)
					continue
				}
			}
			column.add(p, text, place{row: b.rows, line: r.lineOf(p.index)})
		}
		b.rows++
	}
}

func (c *csvBody) ragged(cells, line int) *Error {
	e := &Error{Line: line, Problem: fmt.Sprintf("the row has length %d, the header %d", cells, len(c.header)),
		Remedy: "complete the row or remove it"}
	switch {
	case cells <= len(c.header):
	case len(c.header) == 1:
		e.Remedy = "the first line names all columns: remove titles and remarks above it"
	case cells == len(c.header)+1:
		e.Remedy = "remove what is too much, quote values that hold a separator, or name the column that the header lacks"
	default:
		e.Remedy = "remove what is too much, or quote values that hold a separator"
	}
	return e
}
