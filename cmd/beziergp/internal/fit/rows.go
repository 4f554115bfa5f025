package fit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"

	"beziergp"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/internal/scratch"
	"beziergp/table"
	"beziergp/tablecache"
)

// rows are the rows to train on, in memory or on disk.
type rows struct {
	source    *source.Table // knows their places in the file
	outOfCore source.OutOfCore
	names     []string       // of the columns that were read
	origin    *source.Origin // found where the table is read again, or its cache is kept
	memory    *table.Table
	cache     *tablecache.Cache
	folder    *scratch.Dir // of a cache that is not to be kept
}

// close gives the disk back what need not be kept.
func (r *rows) close() {
	if r.cache != nil {
		r.cache.Close()
	}
	if r.folder != nil {
		r.folder.Remove()
	}
}

// fit learns from them.
func (r *rows) fit(ctx context.Context, target string, o beziergp.Options) (*beziergp.Model, error) {
	if r.cache != nil {
		return beziergp.FitCache(ctx, r.cache, target, o)
	}
	return beziergp.Fit(ctx, r.memory, target, o)
}

// locate gives an error about a value its place in the file.
func (r *rows) locate(ctx context.Context, err error) error {
	if r.cache != nil {
		return r.source.LocateKept(ctx, err, r.cache, r.outOfCore)
	}
	return r.source.Locate(ctx, err)
}

// places returns the rows of the file that some of these are, both counted from 1 and in
// ascending order.
func (r *rows) places(ctx context.Context, rows []int) ([]int, error) {
	if r.cache != nil {
		return r.source.KeptFileRows(ctx, rows, r.cache, r.outOfCore)
	}
	return r.source.FileRows(rows), nil
}

// empty returns the columns that were read and are none of the model's, and no others that
// are known: they have no value.
func (r *rows) empty(others []string, used []table.Field) (names []string) {
	known := map[string]bool{}
	for _, name := range others {
		known[name] = true
	}
	for _, f := range used {
		known[f.Name] = true
		for _, part := range f.Parts {
			known[part] = true
		}
	}
	for _, name := range r.names {
		if known[name] {
			continue
		}
		values, _ := r.sample().Column(name)
		if !slices.ContainsFunc(values, func(v float64) bool { return v == v }) { // else the recipe has left it out
			names = append(names, name)
		}
	}
	return names
}

// targets returns the targets of all rows, or of a sample.
func (r *rows) targets(target string) []float64 {
	y, _ := r.sample().Column(target)
	return y
}

// sample returns all rows, or a sample of those that memory does not hold.
func (r *rows) sample() *table.Table {
	if r.cache != nil {
		return r.cache.Sample()
	}
	return r.memory
}

// span returns the lowest and the highest target of all rows.
func (r *rows) span(target string) (low, high float64) {
	if r.cache != nil {
		i := slices.IndexFunc(r.cache.Fields(), func(f table.Field) bool { return f.Name == target })
		known := r.cache.Summary(i)
		return known.Lo, known.Hi
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, y := range r.targets(target) {
		if y == y {
			low, high = min(low, y), max(high, y)
		}
	}
	return low, high
}

// read reads the rows of a table, or those of this rank.
func (o *Options) read(ctx context.Context, s streams.Streams, data string, parts bool) (*rows, error) {
	if o.Memory > 0 {
		debug.SetMemoryLimit(o.Memory)
	}
	s.Sweep()
	outOfCore := source.OutOfCore{Target: o.Target, Weights: o.Weights, Bytes: o.memory() / source.ShareOfValues}
	r := &rows{}
	if o.Cache != "" && !parts || o.Source.Holdout > 0 && s.IsFirst() {
		var err error
		if r.origin, err = source.FindOrigin(ctx, data, o.Source); err != nil {
			return nil, err
		}
	}
	if o.Cache != "" {
		outOfCore.Bytes, outOfCore.Origin = 0, r.origin
		outOfCore.Cache = func() (string, error) { return o.Cache, nil }
	}
	t, err := source.Open(ctx, data, o.source(), false, s, "reading", nil)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	columns, err := o.columns(t.Names(), data)
	if err != nil {
		return nil, err
	}
	if o.several != nil && o.Cache != "" {
		return nil, exit.Usagef("--cache: several targets are learned from rows in memory; leave it out")
	}
	if err := t.Select(columns...); err != nil {
		return nil, err
	}
	r.source, r.names, r.outOfCore = t, columns, outOfCore
	if parts {
		return r.readPart(ctx, s, o)
	}
	switch {
	case o.Method != methodBezier || o.several != nil: // which need all rows in memory
	case o.Cache == "":
		outOfCore.Cache = func() (string, error) { return r.temporary(s) }
	default:
		if r.cache, err = t.OpenCache(o.Cache, outOfCore); r.cache != nil {
			if !r.cache.Sealed() {
				s.Console.NoteUnsealed("cache " + o.Cache)
			}
			return r, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, exit.Dataf("--cache: %w", err)
		}
	}
	r.memory, r.cache, err = t.ReadOutOfCore(ctx, outOfCore)
	if err != nil {
		r.close()
	}
	if errors.Is(err, source.ErrMemory) && o.several != nil {
		return nil, exit.Dataf("%s: several targets need all rows in memory, and they take more than their share of it, %s; give it more by --memory, take fewer by --rows, or learn the targets one by one",
			source.Name(data), printable.Size(outOfCore.Bytes))
	}
	if errors.Is(err, source.ErrMemory) {
		return nil, exit.Dataf("%s: the method %s needs all rows in memory, and they take more than their share of it, %s; give it more by --memory, take fewer by --rows, or the method %s, which reads rows from disk",
			source.Name(data), o.Method, printable.Size(outOfCore.Bytes), methodBezier)
	}
	return r, r.elsewhere(err)
}

// elsewhere adds to an error of the disk where the rows may go instead.
func (r *rows) elsewhere(err error) error {
	var disk *tablecache.DiskError
	if !errors.As(err, &disk) {
		return err
	}
	places := "name a file elsewhere by --cache"
	if r.folder != nil {
		places = otherPlaces()
	}
	return fmt.Errorf("%w; %s", err, places)
}

// otherPlaces says where rows may go instead.
func otherPlaces() string {
	variable := "TMPDIR"
	if runtime.GOOS == "windows" {
		variable = "TMP"
	}
	return "name a folder with room by the environment's " + variable + ", or a file by --cache, or allow more memory by --memory"
}

// temporary returns the file for rows that memory may not hold.
func (r *rows) temporary(s streams.Streams) (string, error) {
	if r.folder != nil { // they come once more
		return filepath.Join(r.folder.Path, "rows"), nil
	}
	folder, err := scratch.Create()
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	if err != nil {
		return "", fmt.Errorf("the rows take more memory than they may, and %s cannot hold them: %w; %s", os.TempDir(), err, otherPlaces())
	}
	r.folder = folder
	s.Console.Note("the rows take more memory than they may and go to "+folder.Path,
		slog.String("event", "spill"), slog.String("folder", folder.Path))
	return filepath.Join(folder.Path, "rows"), nil
}

func (o *Options) memory() int64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return source.DefaultMemory()
}
