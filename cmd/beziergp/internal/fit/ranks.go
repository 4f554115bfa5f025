package fit

import (
	"context"
	"fmt"
	"log/slog"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/comm"
)

// checkRanks refuses what several ranks cannot do together.
func (o *Options) checkRanks(s streams.Streams, data string) error {
	switch {
	case comm.OrAlone(s.Ranks).Size() == 1:
	case o.Method != methodBezier:
		return exit.Usagef("%s has work for one rank, and there are %d: start it without mpirun", learner{method: o.Method}, s.Ranks.Size())
	case sink.IsStream(data):
		return exit.Usagef("%s: every one of %d ranks reads the table, and this can be read once; name a file that all have", source.Name(data), s.Ranks.Size())
	}
	return nil
}

// prepareOnAll is prepare on all ranks, which fails on all where it fails on one. Unless each reads a
// part, rank 0 writes a cache before the others look for it: a path that they share need be written
// once.
func (o *Options) prepareOnAll(ctx context.Context, s streams.Streams, data string) (r *rows, err error) {
	ranks := comm.OrAlone(s.Ranks)
	parts, err := o.inParts(ctx, s, data)
	if err != nil {
		return nil, err
	}
	inTurn := o.Cache != "" && !parts
	if !inTurn || s.IsFirst() {
		r, err = o.prepare(ctx, s, data, parts)
	}
	if err := comm.Agree(ctx, ranks, nil, err); err != nil || !inTurn {
		return r, err
	}
	if !s.IsFirst() {
		r, err = o.prepare(ctx, s, data, parts)
	}
	return r, comm.Agree(ctx, ranks, nil, err)
}

// inParts tells whether every rank is to read a part of the table alone, as rank 0 finds it.
func (o *Options) inParts(ctx context.Context, s streams.Streams, data string) (bool, error) {
	ranks := comm.OrAlone(s.Ranks)
	if ranks.Size() == 1 {
		return false, nil
	}
	word := []byte{0}
	if s.IsFirst() && o.divides(ctx, s, data) {
		word[0] = 1
	}
	word, err := ranks.Broadcast(ctx, 0, word)
	return err == nil && len(word) == 1 && word[0] == 1, err
}

// divides tells whether there are parts that ranks can read alone, of a table that memory does not
// hold. What is wrong with the table is told by who reads it.
func (o *Options) divides(ctx context.Context, s streams.Streams, data string) bool {
	if o.Method != methodBezier || o.Recipe != recipePaper || sink.IsStream(data) {
		return false
	}
	t, err := source.Open(ctx, data, o.Source, false, s, "", nil)
	if err != nil {
		return false
	}
	defer t.Close()
	columns, err := o.columns(t.Names(), data)
	rows, ok := t.Divisible()
	const float64Bytes = 8
	return err == nil && ok && o.several == nil && (o.Cache != "" || int64(rows*len(columns)*float64Bytes) > o.memory()/source.ShareOfValues)
}

// readPart reads the rows of this rank.
func (r *rows) readPart(ctx context.Context, s streams.Streams, o *Options) (*rows, error) {
	part := r.outOfCore
	part.Ranks, part.Kept, part.Cache = s.Ranks, o.Cache != "", func() (string, error) { return r.temporary(s) }
	if part.Kept {
		part.Origin, part.Cache = nil, func() (string, error) {
			return fmt.Sprintf("%s.%dof%d", o.Cache, s.Ranks.Rank()+1, s.Ranks.Size()), nil
		}
	}
	rows, _ := r.source.Divisible()
	s.Console.Note(fmt.Sprintf("%d rows are apart: each of %d ranks reads a part of them alone", rows, s.Ranks.Size()),
		slog.String("event", "apart"), slog.Int("rows", rows), slog.Int("ranks", s.Ranks.Size()))
	var err error
	if r.cache, err = r.source.ReadPart(ctx, part); err != nil {
		r.close()
	}
	return r, r.elsewhere(err)
}
