package tablefile

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

const (
	// A chunk stays in a core's own cache together with what is made of it.
	chunkSize = 1 << 18
	// maxRecord bounds what a quotation mark without a partner makes us hold.
	maxRecord = 1 << 28
)

// chunk is whole records of a text.
type chunk struct {
	text []byte
	line int // where it begins, from 1
}

// splitter cuts a text into chunks. It alone needs to see the text in order; the
// chunks can be parsed in parallel.
type splitter struct {
	r    io.Reader
	size int    // of a chunk, unless a record is longer
	rest []byte // of a record that the last chunk did not hold whole
	line int    // where the next chunk begins
	err  error  // what ended the text
}

// fill puts the next records into c, whose memory it uses again. The records before
// a fault of the text still come; the next call returns the fault, or io.EOF.
func (s *splitter) fill(c *chunk) error {
	c.text = append(c.text[:0], s.rest...)
	s.rest = s.rest[:0]
	end := 0
	for size := s.size; s.err == nil && end == 0; size *= 2 {
		if size > maxRecord {
			// Who parses it will tell which mark it is.
			s.err, end = errTooLong, len(c.text)
			break
		}
		for len(c.text) < size && s.err == nil {
			if cap(c.text) < size {
				c.text = append(make([]byte, 0, size), c.text...)
			}
			var n int
			n, s.err = s.r.Read(c.text[len(c.text):size])
			c.text = c.text[:len(c.text)+n]
		}
		end = lastRecordEnd(c.text)
	}
	if s.err == io.EOF {
		end = len(c.text) // the last line need not end
	} else if s.err == nil {
		s.rest = append(s.rest, c.text[end:]...)
	}
	c.text = c.text[:end]
	c.line = s.line
	s.line += bytes.Count(c.text, lineEnd)
	if end == 0 {
		return s.err
	}
	return nil
}

var (
	lineEnd    = []byte{'\n'}
	quotation  = []byte{'"'}
	errTooLong = fmt.Errorf("a row is longer than %g MiB: a quotation mark may have no partner", math.Ldexp(maxRecord, -20))
)

// lastRecordEnd returns the end of the last whole record of a text that begins
// outside quotes, 0 if it has none. A line end belongs to a quoted value if an odd
// number of quotation marks stands before it; a text for which that is wrong is
// refused, at its first stray mark, by whoever parses it.
func lastRecordEnd(text []byte) int {
	marks := bytes.Count(text, quotation)
	for end := len(text); ; {
		i := bytes.LastIndexByte(text[:end], '\n')
		if i < 0 {
			return 0
		}
		if marks > 0 {
			marks -= bytes.Count(text[i:end], quotation)
		}
		if marks%2 == 0 {
			return i + 1
		}
		end = i
	}
}
