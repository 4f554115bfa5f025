package model

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"beziergp/internal/atomicfile"
	"beziergp/internal/format"
	"beziergp/internal/safetensors"
	"beziergp/likelihood"
	"beziergp/model/modelfile"
)

const (
	// formatKey is the metadata entry that holds the head of a model file.
	formatKey = "beziergp.model"
	// FormatVersion is raised whenever a program of before would read a file wrongly.
	// Format 1, which knew neither categories nor missing values and has constant
	// noise and whole groups, is still read, and so are format 2, in which all predictions
	// are Gaussian, and format 3, whose lists of numbers are JSON, and which does not tell
	// of the rows that were trained on. None of these has a digest. Models without neighbour
	// inputs are written in format 4, which knows none and has all else.
	FormatVersion = 5
	// firstOfNeighbours is the first whose files have neighbour inputs.
	firstOfNeighbours = 5
	// firstSealed is the first format whose files have one.
	firstSealed = 4
	// firstListed is the first whose lists of numbers are in a tensor.
	firstListed = 4
)

// format returns that of the model's file.
func (m *Model) format() int {
	if m.tables == nil {
		return firstOfNeighbours - 1
	}
	return FormatVersion
}

// FileError reports a model file that cannot be used.
type FileError struct {
	File string // empty where the model came from a stream
	Err  error
}

func (e *FileError) Error() string {
	if e.File == "" {
		return "model: " + e.Err.Error()
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// Origin tells of the file that a model was read from.
type Origin struct {
	Format int  // of the file
	Sealed bool // whether the file has a digest, which is right; older formats have none
}

// Origin returns where the model comes from: one that was just fitted is as its file
// will be.
func (m *Model) Origin() Origin { return m.origin }

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error { return atomicfile.WriteFile(path, m.Write) }

// Write writes the model as a safetensors file with a digest of all its bytes. Equal
// models make equal bytes.
//
// The file tells of the training rows what the model knows of them: names of columns;
// names of the levels of categories that are not rare, and of the others fingerprints
// ([table.Fingerprints]); up to [box.MaxKnots] quantiles of every number, its smallest
// and its largest value among them; averages, as the target's mean and deviation; and
// numbers of rows by bins of every column ([profile.Profile]).
func (m *Model) Write(w io.Writer) error {
	h, tensors, err := m.describe()
	if err != nil {
		return err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return safetensors.Write(w, tensors, map[string]string{formatKey: string(text)})
}

// Load reads a model from a file. Errors about its content are [FileError]s.
func Load(path string) (*Model, error) { return LoadAs(path, Decode) }

// Read reads a model. It allocates no more than a multiple of the bytes that r
// really has. All its errors are [FileError]s.
func Read(r io.Reader) (*Model, error) { return ReadAs(r, Decode) }

// Decoder makes a model of what a file holds, or says what is wrong with it.
type Decoder[M any] func(*safetensors.File) (M, error)

// LoadAs is Load for models of any kind.
func LoadAs[M any](path string, decode Decoder[M]) (m M, err error) {
	file, err := os.Open(path)
	if err != nil {
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			err = fmt.Errorf("%w; check the path", p.Err) // which FileError says
		}
		return m, &FileError{path, err}
	}
	defer file.Close()
	var size int64
	if info, err := file.Stat(); err == nil {
		if info.IsDir() {
			return m, &FileError{path, errors.New("this is a directory; give the file in it that fit wrote")}
		}
		size = info.Size() // 0 of a pipe
	}
	m, err = readAs(file, size, decode)
	var bad *FileError
	if errors.As(err, &bad) {
		bad.File = path
	}
	return m, err
}

// ReadAs is Read for models of any kind.
func ReadAs[M any](r io.Reader, decode Decoder[M]) (M, error) { return readAs(r, 0, decode) }

// readAs is ReadAs of what is known to have so many bytes.
func readAs[M any](r io.Reader, size int64, decode Decoder[M]) (m M, err error) {
	from := bufio.NewReader(r)
	head, err := from.Peek(format.Head)
	if err != nil && err != io.EOF {
		return m, &FileError{Err: err}
	}
	if err := misplaced(head); err != nil {
		return m, &FileError{Err: err}
	}
	f, err := safetensors.ReadSized(from, size)
	if err != nil {
		return m, &FileError{Err: fmt.Errorf("%w; it is damaged or not a model of this program", err)}
	}
	if m, err = decode(f); err != nil {
		return m, &FileError{Err: err}
	}
	return m, nil
}

// misplaced fails where a file that begins like this was given in the place of a model.
func misplaced(head []byte) error {
	switch what := format.Of(head); what {
	case format.Model, format.Tensors, format.Unknown: // which the reader looks into
		return nil
	case format.Checkpoint:
		return fmt.Errorf("this is %s, not a model: the command that began it goes on from there, and writes one", what)
	default:
		return fmt.Errorf("this is %s, not a model; give the file that fit wrote; where a table is given too, it comes after", what)
	}
}

// Decode is the [Decoder] of a Bézier process.
func Decode(f *safetensors.File) (*Model, error) {
	if HoldsBundle(f.Metadata) {
		return nil, severalError(f)
	}
	text, ok := f.Metadata[formatKey]
	if !ok {
		return nil, errors.New("a safetensors file, but not a model of this program: its metadata has no " + formatKey)
	}
	var version struct {
		Format int `json:"format"`
	}
	if err := modelfile.Unmarshal([]byte(text), &version); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	format := version.Format
	switch {
	case format < 1 || format > FormatVersion:
		return nil, fmt.Errorf("written in format %d; this version reads formats 1 to %d: train the model again, or use the version that wrote it", format, FormatVersion)
	case format >= firstSealed && !f.Sealed:
		return nil, fmt.Errorf("damaged: a file of format %d has a digest, and this one has none", format)
	}
	var h head
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	described := likelihood.Description{}
	if h.Law != nil {
		described = *h.Law
	}
	described.Name = h.Likelihood
	law, err := likelihood.Restore(described)
	if err != nil {
		return nil, fmt.Errorf("the law of its target, likelihood %w: use the version that wrote it", err)
	}
	m, err := h.model(f, law)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	m.origin = Origin{format, f.Sealed}
	return m, nil
}
