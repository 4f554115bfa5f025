package beziergp

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"runtime/debug"
	"time"

	"beziergp/dataset"
	"beziergp/internal/comm"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/tablecache"
	"beziergp/train"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// Ranks is a process among those that make one fit together.
type Ranks = comm.Comm

// checkRanks refuses several ranks for a recipe that does not share its work out, or has work
// for fewer.
func (o Options) checkRanks() error {
	size := comm.OrAlone(o.Ranks).Size()
	switch recipe := o.Recipe.(type) {
	case auto.Recipe:
		return nil
	case paper.Recipe:
		return recipe.CheckRanks(size)
	}
	if size == 1 {
		return nil
	}
	return &OptionError{Option: "ranks", Problem: fmt.Sprintf("%d, and the recipe %s has work for one; start it once, or take the recipe auto", size, o.Recipe.Name())}
}

// agree fails on all ranks unless all have the same program, options and rows, and none has
// failed until here.
func (o Options) agree(ctx context.Context, about dataset.Description, data train.Data, failed error) error {
	ranks := comm.OrAlone(o.Ranks)
	if ranks.Size() == 1 {
		return failed
	}
	var items []comm.Item
	if failed == nil {
		items, failed = o.setUp(ctx, about, data)
	}
	return comm.Agree(ctx, ranks, items, failed)
}

// apart returns which rank reads which rows of a cache, where several train by the recipe paper, and
// what ends that; nil where each reads all. It fails on all ranks unless they have the same program,
// options and cache: what they find of the rows they find together.
func (o Options) apart(ctx context.Context, c *tablecache.Cache, columns dataset.Options) (*comm.Apart, context.CancelFunc, error) {
	ranks, none := comm.OrAlone(o.Ranks), func() {}
	if _, ok := o.Recipe.(paper.Recipe); !ok || ranks.Size() == 1 {
		return nil, none, nil
	}
	items, err := o.program()
	if err == nil {
		law, chosen := any(nil), []byte(nil)
		if o.Likelihood != nil {
			law = likelihood.Describe(o.Likelihood)
		}
		chosen, err = json.Marshal([]any{columns, law, o.OutOfBox})
		items = append(items, place(true),
			comm.Item{Name: "what is asked of the columns", Value: short(sha256.Sum256(chosen)), Remedy: sameOptions},
			comm.Item{Name: "the number of rows", Value: fmt.Sprint(c.Rows()), Remedy: sameFiles},
			comm.Item{Name: "the cache", Value: c.Digest(), Remedy: "remove the caches of all ranks, and begin again"})
	}
	if err := comm.Agree(ctx, ranks, items, err); err != nil {
		return nil, none, err
	}
	last, done := comm.Lingering(ctx, patience)
	return comm.NewApart(last, ranks, c.Bounds(ranks.Size())), done, nil
}

// patience is how long a rank that was told to stop waits for the others, who have not been yet.
const patience = 4 * time.Second

const (
	sameOptions = "give all ranks the same options"
	sameFiles   = "give all ranks the same files"
	sameMemory  = "give all ranks the same --memory"
)

// program returns what has to be the same on all ranks whatever the rows are, and what to do where
// it is not.
func (o Options) program() ([]comm.Item, error) {
	program := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		program = info.String()
	}
	recipe, err := json.Marshal(o.Recipe)
	var seed uint64
	var checkpoint string
	switch recipe := o.Recipe.(type) {
	case auto.Recipe:
		seed = recipe.Seed
	case paper.Recipe:
		seed, checkpoint = recipe.Seed, recipe.Checkpoint
	}
	return []comm.Item{
		{Name: "the version of the program", Value: short(sha256.Sum256([]byte(program))), Remedy: "start the same one on all"},
		{Name: "the instruction set", Value: simd.Tier(), Remedy: "set BEZIERGP_KERNEL to one that all have (beziergp version lists them)"},
		{Name: "the seed", Value: fmt.Sprint(seed), Remedy: sameOptions},
		{Name: "the recipe", Value: string(recipe), Remedy: sameOptions},
		{Name: "the checkpoint", Value: fmt.Sprintf("%q", checkpoint), Remedy: sameOptions},
	}, err
}

// setUp returns what has to be the same on all ranks, and what to do where it is not.
func (o Options) setUp(ctx context.Context, about dataset.Description, data train.Data) ([]comm.Item, error) {
	items, err := o.program()
	if err != nil {
		return nil, err
	}
	scalings, err := json.Marshal([]any{about.Inputs, about.Targets, about.Offset, about.Dropped, data.LightTails, data.Offset, o.OutOfBox, o.Range, o.Split, o.OutOfFold != nil})
	if err != nil {
		return nil, err
	}
	items = append(items, place(data.Source != nil),
		comm.Item{Name: "the number of rows", Value: fmt.Sprint(data.Rows().Len()), Remedy: sameFiles},
		comm.Item{Name: "the columns or their scaling", Value: short(sha256.Sum256(scalings)), Remedy: sameFiles + " and options"})
	if _, parted := data.Source.(descent.Parted); !parted { // of which every rank has others
		rows, err := digestOf(ctx, data)
		if err != nil {
			return nil, err
		}
		items = append(items, comm.Item{Name: "the content of the rows", Value: rows, Remedy: sameFiles})
	}
	if data.Source != nil {
		items = append(items, comm.Item{Name: "the memory", Value: fmt.Sprint(o.Memory), Remedy: sameMemory})
	}
	return items, nil
}

func place(onDisk bool) comm.Item {
	item := comm.Item{Name: "the place of the rows", Value: "in memory", Remedy: sameMemory}
	if onDisk {
		item.Value = "on disk"
	}
	return item
}

func short(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:6]) }

// digestOf returns a digest of the rows as recipes see them.
func digestOf(ctx context.Context, data train.Data) (string, error) {
	h := sha256.New()
	err := data.Rows().Each(ctx, 1<<12, func(rows elbo.Batch) error {
		return errors.Join(writeNumbers(h, rows.X), writeNumbers(h, rows.Y), writeNumbers(h, rows.Weights))
	})
	if err == nil {
		err = json.NewEncoder(h).Encode([]any{data.Split.Groups, data.Split.Held})
	}
	if err == nil {
		err = writeNumbers(h, data.Split.Times)
	}
	return short([sha256.Size]byte(h.Sum(nil))), err
}

// writeNumbers adds numbers to a digest, by their bits.
func writeNumbers[T float32 | float64](h hash.Hash, numbers []T) error {
	return binary.Write(h, binary.LittleEndian, numbers)
}
