package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"

	"beziergp/tablecache"
	"beziergp/tablefile"
)

// Origin is the files that rows are read from, by what they hold: a file may change
// and keep its size and its time. Finding it takes a read of all files.
type Origin struct {
	files []originFile // empty where nobody can tell: a query, standard input, a pipe
}

type originFile struct {
	Path   string
	Size   int64
	SHA256 string
}

// FindOrigin reads the files of a table and of its mask.
func FindOrigin(ctx context.Context, data string, o Options) (*Origin, error) {
	return findOrigin(ctx, data, o, 0, 1)
}

// findOrigin reads one of so many parts of every file.
func findOrigin(ctx context.Context, data string, o Options, part, parts int) (*Origin, error) {
	if o.From != "" {
		return &Origin{}, nil
	}
	var files []originFile
	for _, path := range slices.Concat(Files(data), []string{o.Mask.Path}, Files(o.Valid.Path)) {
		if path == "" {
			continue
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return &Origin{}, nil // opening it tells what is wrong
		}
		file, err := findFile(ctx, path, int64(part), int64(parts))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return &Origin{files}, nil
}

func findFile(ctx context.Context, path string, part, parts int64) (originFile, error) {
	failed := func(err error) (originFile, error) {
		return originFile{}, &tablefile.Error{File: path, Problem: "cannot be read: " + err.Error(), Err: err}
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return failed(err)
	}
	file, err := os.Open(path)
	if err != nil {
		return failed(err)
	}
	defer file.Close()
	own, from, size := io.Reader(file), int64(0), int64(0)
	if parts > 1 {
		info, err := file.Stat()
		if err != nil {
			return failed(err)
		}
		from, size = info.Size()*part/parts, info.Size()
		own = io.NewSectionReader(file, from, size*(part+1)/parts-from)
	}
	hash, read := sha256.New(), int64(0)
	for {
		if err := ctx.Err(); err != nil {
			return originFile{}, err
		}
		n, err := io.CopyN(hash, own, 1<<24)
		read += n
		if err == io.EOF {
			return originFile{absolute, max(size, read), hex.EncodeToString(hash.Sum(nil))}, nil
		}
		if err != nil {
			return failed(err)
		}
	}
}

// OpenCache returns the cache in a file if it holds the rows that ReadOutOfCore would read,
// or nil where it holds others. It fails where there is no cache.
func (t *Table) OpenCache(path string, o OutOfCore) (*tablecache.Cache, error) {
	c, err := tablecache.Open(path)
	if err != nil {
		return nil, err
	}
	if id := t.identify(o); id == "" || c.Source() != id {
		c.Close()
		return nil, nil
	}
	return c, nil
}

// identity returns what tells the rows just read apart, and an error where the files
// are not what they were before.
func (t *Table) identity(ctx context.Context, o OutOfCore) (string, error) {
	if o.Origin == nil {
		return "", nil
	}
	same, err := t.Unchanged(ctx, o.Origin)
	if err != nil {
		return "", err
	}
	if !same {
		return "", t.changedError()
	}
	return t.identify(o), nil
}

func (t *Table) changedError() error {
	return &tablefile.Error{File: t.file, Problem: "the table, or its mask, changed while it was read", Remedy: "read it again when it is complete"}
}

// Unchanged tells whether the files of the table are what they were when their origin was
// found. It cannot tell where there are none, of a query.
func (t *Table) Unchanged(ctx context.Context, o *Origin) (bool, error) {
	now, err := FindOrigin(ctx, t.path, t.options)
	return err == nil && slices.Equal(now.files, o.files), err
}

// identify tells rows apart by their origin and by what is taken of it; it is empty
// where nobody can tell.
func (t *Table) identify(o OutOfCore) string {
	if o.Origin == nil || len(o.Origin.files) == 0 {
		return ""
	}
	what := map[string]any{"files": o.Origin.files, "options": t.options, "columns": t.reader.Selected(), "target": o.Target, "weights": o.Weights}
	if o.Ranks != nil {
		what["part"] = []int{o.Ranks.Rank(), o.Ranks.Size()}
	}
	// Plain structs are encoded without fail.
	text, _ := json.Marshal(what)
	return string(text)
}
