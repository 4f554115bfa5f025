package tablecache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"beziergp/table"
)

// joined is what is known of all rows where a file has a part of them.
type joined struct {
	bounds    []int // the first row of every part, and the number of all
	part      int   // that of the file
	dropped   int
	summaries []Summary
	digest    string
}

// Exchange sends a message to the processes that have the other parts, and to this one, and
// returns theirs in the order of the parts. It fails for all where one has failed.
type Exchange func(own []byte, failed error) ([][]byte, error)

// Join makes a cache of one of several parts of a table one of all rows, of which it reads those of
// its part alone. All who have parts call it; what they know of the columns is added up, and the
// sample is that of a cache of all rows.
func (c *Cache) Join(part int, exchange Exchange) error {
	own, err := json.Marshal(c.says())
	all, err := exchange(own, err)
	if err != nil {
		return err
	}
	j := &joined{part: part, bounds: []int{0}}
	hash := sha256.New()
	for k, message := range all {
		var one partSaid
		if err := json.Unmarshal(message, &one); err != nil || len(one.Summaries) != len(c.footer.Fields) || !sameFields(one.Fields, c.footer.Fields) {
			return fmt.Errorf("parts %d and %d of the cache are of different columns: remove all parts, and begin again", k+1, part+1)
		}
		hash.Write(message)
		j.bounds, j.dropped = append(j.bounds, j.bounds[k]+one.Rows), j.dropped+one.Dropped
		for i, s := range one.Summaries {
			if k == 0 {
				j.summaries = append(j.summaries, NewSummary())
			}
			j.summaries[i].join(s)
		}
	}
	for i := range j.summaries {
		j.summaries[i] = j.summaries[i].orNone()
	}
	j.digest = hex.EncodeToString(hash.Sum(nil)[:6])
	return c.joinSamples(j, exchange)
}

func sameFields(a, b []table.Field) bool {
	return slices.EqualFunc(a, b, func(a, b table.Field) bool {
		return a.Name == b.Name && a.Kind == b.Kind && slices.Equal(a.Levels, b.Levels)
	})
}

// partSaid is what a part says of itself.
type partSaid struct {
	Fields        []table.Field
	Rows, Dropped int
	Checksums     []uint32
	Summaries     []summaryJSON
}

func (c *Cache) says() partSaid {
	k := partSaid{Fields: c.footer.Fields, Rows: c.footer.Rows, Dropped: c.footer.Dropped, Checksums: c.footer.Checksums}
	for i := range c.footer.Fields {
		s := c.Summary(i)
		k.Summaries = append(k.Summaries, summaryJSON{s.Missing, math.Float64bits(s.Lo), math.Float64bits(s.Hi), s.Counts})
	}
	return k
}

// join adds the summary of other rows.
func (s *Summary) join(o summaryJSON) {
	s.Missing += o.Missing
	if lo, hi := math.Float64frombits(o.Lo), math.Float64frombits(o.Hi); lo == lo {
		s.Lo, s.Hi = min(s.Lo, lo), max(s.Hi, hi)
	}
	if len(o.Counts) > len(s.Counts) {
		s.Counts = append(s.Counts, make([]int, len(o.Counts)-len(s.Counts))...)
	}
	for i, n := range o.Counts {
		s.Counts[i] += n
	}
}

// joinSamples has every part find which of its rows are in the sample of all, and puts them together.
func (c *Cache) joinSamples(j *joined, exchange Exchange) error {
	s := NewReservoir(len(c.footer.Fields))
	s.pass(j.bounds[j.part])
	var b Buffer
	var err error
	for i := 0; i < c.Blocks() && err == nil; i++ {
		var n int
		if n, err = c.Read(i, &b); err == nil {
			s.Add(b.Columns, n)
		}
	}
	var own []byte
	for slot, given := range s.given {
		if !given {
			continue
		}
		own = binary.LittleEndian.AppendUint64(own, uint64(slot))
		for _, column := range s.columns {
			own = binary.LittleEndian.AppendUint64(own, math.Float64bits(column[slot]))
		}
	}
	all, err := exchange(own, err)
	if err != nil {
		return err
	}
	columns := make([][]float64, len(s.columns))
	for i := range columns {
		columns[i] = make([]float64, min(s.most, j.bounds[len(j.bounds)-1]))
	}
	for k, message := range all { // a later row takes the place of an earlier one
		for row := range slices.Chunk(message, 8*(1+len(columns))) {
			slot := int(binary.LittleEndian.Uint64(row))
			if len(row) < 8*(1+len(columns)) || slot < 0 || slot >= len(columns[0]) {
				return fmt.Errorf("part %d of the cache says nothing right of its sample", k+1)
			}
			for i := range columns {
				columns[i][slot] = math.Float64frombits(binary.LittleEndian.Uint64(row[8*(1+i):]))
			}
		}
	}
	made := make([]table.Column, len(columns))
	for i, f := range c.footer.Fields {
		made[i] = table.NewColumn(f, columns[i])
	}
	if c.sample, err = table.New(made...); err == nil {
		c.joined = j
	}
	return err
}

// Bounds shares the rows out to so many readers: reader k has rows bounds[k] ≤ j < bounds[k+1]. They
// are whole blocks, or the parts of a table that were joined, of which there must be as many.
func (c *Cache) Bounds(readers int) []int {
	if c.joined != nil {
		return slices.Clone(c.joined.bounds)
	}
	bounds := make([]int, readers+1)
	for k := range bounds {
		bounds[k] = min(c.Blocks()*k/readers*c.BlockRows(), c.Rows())
	}
	return bounds
}

// Digest identifies what all blocks hold: by their checksums and what the cache says of them.
func (c *Cache) Digest() string {
	if c.joined != nil {
		return c.joined.digest
	}
	// Plain structs are encoded without fail.
	text, _ := json.Marshal(c.says())
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
