// Package archive packs files so that equal files make equal bytes: sorted, of one
// time, owned by nobody, and with the two modes that programs and texts need.
package archive

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"
)

// File is a file to pack.
type File struct {
	Name    string // with slashes, unique in its archive
	Data    []byte
	Program bool // may be run
}

func (f File) mode() fs.FileMode {
	if f.Program {
		return 0o755
	}
	return 0o644
}

// sorted returns the files by name; each must have one of its own, below the
// archive's root.
func sorted(files []File) ([]File, error) {
	files = slices.SortedFunc(slices.Values(files), func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	for i, f := range files {
		if !fs.ValidPath(f.Name) {
			return nil, fmt.Errorf("%q is no path inside an archive", f.Name)
		}
		if i > 0 && files[i-1].Name == f.Name {
			return nil, fmt.Errorf("two files have the name %s", f.Name)
		}
	}
	return files, nil
}

// TarGzip writes a gzipped tar archive. Times are cut to seconds.
func TarGzip(w io.Writer, files []File, at time.Time) error {
	files, err := sorted(files)
	if err != nil {
		return err
	}
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(packed)
	for _, f := range files {
		err := t.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Format: tar.FormatPAX, Name: f.Name,
			Size: int64(len(f.Data)), Mode: int64(f.mode()), ModTime: at.UTC().Truncate(time.Second),
		})
		if err == nil {
			_, err = t.Write(f.Data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return errors.Join(t.Close(), packed.Close())
}

// Zip writes a zip archive. Its times begin with 1980; an earlier one becomes that.
func Zip(w io.Writer, files []File, at time.Time) error {
	files, err := sorted(files)
	if err != nil {
		return err
	}
	if first := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); at.Before(first) {
		at = first
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, f := range files {
		h := &zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: at.UTC().Truncate(time.Second)}
		h.SetMode(f.mode())
		to, err := z.CreateHeader(h)
		if err == nil {
			_, err = to.Write(f.Data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return z.Close()
}
