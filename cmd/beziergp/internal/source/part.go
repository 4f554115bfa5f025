package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"beziergp/internal/comm"
	"beziergp/tablecache"
	"beziergp/tablefile"
)

// Divisible returns the number of rows of a table of which ranks can read parts: one of files that
// tell it, from which rows are taken one by one.
func (t *Table) Divisible() (rows int, ok bool) {
	if t.mask != nil || t.valid != nil || t.limit > 0 || t.options.From != "" {
		return 0, false
	}
	counts, ok := t.reader.Counts()
	for _, n := range counts {
		rows += n
	}
	return rows, ok
}

// patience is how long a rank that was told to stop waits for the others, who have not been yet.
const patience = 4 * time.Second

// ReadPart is [Table.ReadOutOfCore] of the rows of this rank, which go to the cache: it knows those
// of all ranks. All ranks call it. A cache that has them already, on every rank, is taken.
func (t *Table) ReadPart(ctx context.Context, o OutOfCore) (*tablecache.Cache, error) {
	last, done := comm.Lingering(ctx, patience)
	defer done()
	exchange := func(own []byte, failed error) ([][]byte, error) {
		if failed == nil {
			failed = ctx.Err()
		}
		return comm.Exchange(last, o.Ranks, own, failed)
	}
	path, err := o.Cache()
	end, unread := t.ends()
	items := []comm.Item{{Name: "the end of the files of " + t.file, Value: end, Remedy: "give all ranks the same files"}}
	if err := comm.Agree(last, o.Ranks, items, errors.Join(err, unread)); err != nil {
		return nil, err
	}
	if o.Kept {
		if o.Origin, err = t.originOfRanks(ctx, exchange, o.Ranks); err != nil {
			return nil, err
		}
	}
	c, err := t.keptPart(path, o, exchange)
	if c == nil && err == nil {
		c, err = t.storePart(ctx, o, exchange)
	}
	if err != nil {
		return nil, err
	}
	if err := c.Join(o.Ranks.Rank(), exchange); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// ends returns a digest of sizes and ends of the files, where Parquet has its index: enough to tell
// files apart of which every rank reads other rows.
func (t *Table) ends() (string, error) {
	const most = 1 << 16
	hash := sha256.New()
	for _, path := range Files(t.path) {
		file, err := os.Open(path)
		if err != nil {
			return "", &tablefile.Error{File: path, Problem: "cannot be opened: " + err.Error(), Err: err}
		}
		info, err := file.Stat()
		text := make([]byte, most)
		if err == nil {
			text = text[:min(most, info.Size())]
			_, err = file.ReadAt(text, info.Size()-int64(len(text)))
		}
		file.Close()
		if err != nil {
			return "", &tablefile.Error{File: path, Problem: "cannot be read: " + err.Error(), Err: err}
		}
		fmt.Fprintf(hash, "%d %s", info.Size(), text)
	}
	return hex.EncodeToString(hash.Sum(nil)[:6]), nil
}

// keptPart opens the cache of this rank's part, where every rank has one of the rows that it would
// read; else it returns none.
func (t *Table) keptPart(path string, o OutOfCore, exchange tablecache.Exchange) (*tablecache.Cache, error) {
	var c *tablecache.Cache
	var err error
	if o.Origin != nil {
		if c, err = t.OpenCache(path, o); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	word := []byte{0}
	if c != nil {
		word[0] = 1
	}
	all, err := exchange(word, err)
	has := func(word []byte) bool { return len(word) == 1 && word[0] == 1 }
	if c != nil && (err != nil || !allOf(all, has)) {
		c.Close()
		c = nil
	}
	return c, err
}

func allOf(all [][]byte, is func([]byte) bool) bool {
	return !slices.ContainsFunc(all, func(one []byte) bool { return !is(one) })
}

// storePart writes the rows of this rank to a cache.
func (t *Table) storePart(ctx context.Context, o OutOfCore, exchange tablecache.Exchange) (*tablecache.Cache, error) {
	rows, _ := t.Divisible()
	unit := tablecache.BlockRows(len(t.reader.Selected())) // so that a block is in one part, unless rows are left out
	cut := func(rank int) int { return min(((rows+unit-1)/unit)*rank/o.Ranks.Size()*unit, rows) }
	part := tablefile.Part{From: cut(o.Ranks.Rank()), To: cut(o.Ranks.Rank() + 1), Exchange: exchange}
	t.first = part.From
	for row := range part.From {
		if t.takes(row) {
			t.firstTaken++
		}
	}
	s := &cacheSink{table: t, outOfCore: o}
	stored, err := t.reader.ReadPart(ctx, &tablefile.OutOfCore{Bytes: -1, Create: s.create}, part)
	if err != nil {
		s.abort()
		return nil, err
	}
	t.warnOfColumns()
	var faulty error
	if bad := s.rows.fault; bad != nil && !isDate(stored.Fields, o.Target) && isNumber(stored.Fields, o.Weights) {
		faulty = t.Locate(ctx, bad)
	}
	if _, err = exchange(nil, faulty); err != nil {
		s.abort()
		return nil, err
	}
	id, err := "", error(nil)
	if o.Origin != nil {
		var now *Origin
		if now, err = t.originOfRanks(ctx, exchange, o.Ranks); err == nil && !slices.Equal(now.files, o.Origin.files) {
			err = t.changedError()
		}
		id = t.identify(o)
	}
	var c *tablecache.Cache
	if err == nil {
		c, err = s.writer.Finish(stored.Fields, stored.Meaning, id)
	} else {
		s.abort()
	}
	if _, failed := exchange(nil, err); failed != nil {
		if c != nil {
			c.Close()
		}
		return nil, failed
	}
	return c, nil
}

// originOfRanks is [FindOrigin] on several ranks, each of which reads a part of every file.
func (t *Table) originOfRanks(ctx context.Context, exchange tablecache.Exchange, ranks comm.Comm) (*Origin, error) {
	origin, err := findOrigin(ctx, t.path, t.options, ranks.Rank(), ranks.Size())
	var own []string
	if err == nil {
		for _, file := range origin.files {
			own = append(own, file.SHA256)
		}
	}
	all, err := exchange([]byte(strings.Join(own, "\n")), err)
	if err != nil {
		return nil, err
	}
	digests := make([][]string, len(origin.files))
	for _, message := range all {
		for i, digest := range strings.Split(string(message), "\n") {
			if i < len(digests) {
				digests[i] = append(digests[i], digest)
			}
		}
	}
	for i := range origin.files {
		origin.files[i].SHA256 = strings.Join(digests[i], " ")
	}
	return origin, nil
}
