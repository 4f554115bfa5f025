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

	"beziergp/dataset"
	"beziergp/internal/comm"
	"beziergp/internal/process/elbo"
	"beziergp/internal/simd"
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

// setUp returns what has to be the same on all ranks, and what to do where it is not.
func (o Options) setUp(ctx context.Context, about dataset.Description, data train.Data) ([]comm.Item, error) {
	program := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		program = info.String()
	}
	recipe, err := json.Marshal(o.Recipe)
	if err != nil {
		return nil, err
	}
	scalings, err := json.Marshal([]any{about.Inputs, about.Targets, about.Offset, about.Dropped, data.LightTails, data.Offset, o.OutOfBox, o.Range, o.Split, o.OutOfFold != nil})
	if err != nil {
		return nil, err
	}
	rows, err := digestOf(ctx, data)
	if err != nil {
		return nil, err
	}
	const options, files = "give all ranks the same options", "give all ranks the same files"
	var seed uint64
	var checkpoint string
	switch recipe := o.Recipe.(type) {
	case auto.Recipe:
		seed = recipe.Seed
	case paper.Recipe:
		seed, checkpoint = recipe.Seed, recipe.Checkpoint
	}
	items := []comm.Item{
		{Name: "the version of the program", Value: short(sha256.Sum256([]byte(program))), Remedy: "start the same one on all"},
		{Name: "the instruction set", Value: simd.Tier(), Remedy: "set BEZIERGP_KERNEL to one that all have (beziergp version lists them)"},
		{Name: "the seed", Value: fmt.Sprint(seed), Remedy: options},
		{Name: "the recipe", Value: string(recipe), Remedy: options},
		{Name: "the checkpoint", Value: fmt.Sprintf("%q", checkpoint), Remedy: options},
		{Name: "the number of rows", Value: fmt.Sprint(data.Rows().Len()), Remedy: files},
		{Name: "the place of the rows", Value: place(data), Remedy: "give all ranks the same --memory"},
		{Name: "the columns or their scaling", Value: short(sha256.Sum256(scalings)), Remedy: files + " and options"},
		{Name: "the content of the rows", Value: rows, Remedy: files},
	}
	if data.Source != nil {
		items = append(items, comm.Item{Name: "the memory", Value: fmt.Sprint(o.Memory), Remedy: "give all ranks the same --memory"})
	}
	return items, nil
}

func place(data train.Data) string {
	if data.Source != nil {
		return "on disk"
	}
	return "in memory"
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
