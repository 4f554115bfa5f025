package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"beziergp/cmd/beziergp/internal/release/archive"
)

var files = []archive.File{
	{Name: "b/program", Data: bytes.Repeat([]byte("run"), 1000), Program: true},
	{Name: "a.txt", Data: []byte("text")},
	{Name: "empty"},
}

var writers = map[string]func(io.Writer, []archive.File, time.Time) error{"tar": archive.TarGzip, "zip": archive.Zip}

// The order of files, the zone and the fraction of the time leave no trace.
func TestEqualFilesMakeEqualBytes(t *testing.T) {
	at := time.Date(2026, 5, 4, 3, 2, 1, 999, time.FixedZone("east", 7200))
	reversed := slices.Clone(files)
	slices.Reverse(reversed)
	for name, write := range writers {
		var first, second, later bytes.Buffer
		err := errors.Join(write(&first, files, at), write(&second, reversed, at.UTC().Truncate(time.Second)), write(&later, files, at.Add(2*time.Second)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: equal files make other bytes", name)
		}
		if bytes.Equal(first.Bytes(), later.Bytes()) {
			t.Errorf("%s: the time is not written", name)
		}
	}
}

func TestTarHoldsWhatWasPacked(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	var b bytes.Buffer
	if err := archive.TarGzip(&b, files, at); err != nil {
		t.Fatal(err)
	}
	g, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	for r, i := tar.NewReader(g), 0; ; i++ {
		h, err := r.Next()
		if err == io.EOF {
			if i != len(files) {
				t.Errorf("%d files", i)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		want := file(h.Name)
		if err != nil || !bytes.Equal(data, want.Data) || !h.ModTime.Equal(at) || h.Mode&0o111 != 0 != want.Program || h.Uid != 0 {
			t.Errorf("%+v, %d bytes, %v", h, len(data), err)
		}
	}
}

func TestZipHoldsWhatWasPacked(t *testing.T) {
	var b bytes.Buffer
	if err := archive.Zip(&b, files, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(z.File) != len(files) {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		want := file(f.Name)
		if err != nil || !bytes.Equal(data, want.Data) || f.Modified.Year() != 1980 || f.Mode()&0o111 != 0 != want.Program {
			t.Errorf("%s: %v %v, %d bytes, %v", f.Name, f.Modified, f.Mode(), len(data), err)
		}
	}
}

func file(name string) archive.File {
	return files[slices.IndexFunc(files, func(f archive.File) bool { return f.Name == name })]
}

// No archive can write outside the folder that it is unpacked to, and no file of
// it hides another.
func TestNamesAreUniqueAndInside(t *testing.T) {
	for _, names := range [][]string{{"../up"}, {"/root"}, {""}, {"a", "a"}} {
		var packed []archive.File
		for _, n := range names {
			packed = append(packed, archive.File{Name: n})
		}
		for name, write := range writers {
			if write(io.Discard, packed, time.Now()) == nil {
				t.Errorf("%s packs %q", name, names)
			}
		}
	}
}
