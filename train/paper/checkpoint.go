package paper

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"beziergp/internal/atomicfile"
	"beziergp/internal/process/elbo"
	"beziergp/internal/safetensors"
	"beziergp/likelihood"
	"beziergp/model/modelfile"
)

const (
	// checkpointKey is the metadata entry of a checkpoint's head.
	checkpointKey = "beziergp.checkpoint"
	// checkpointFormat is that of checkpoints with a digest. Those before have none, and
	// no format.
	checkpointFormat = 2
)

// Names of a checkpoint's tensors.
const (
	paramsTensor = "params"
	firstMoment  = "adam.m"
	secondMoment = "adam.v"
)

// checkpoint is the state of a run after a whole number of steps.
type checkpoint struct {
	checkpointHead
	params, m, v []float32
	sealed       bool // has a digest
}

type checkpointHead struct {
	Format    int     `json:"format,omitempty"`
	Run       string  `json:"run"` // fingerprint of options and data
	Steps     int     `json:"steps"`
	Objective float64 `json:"objective"`
}

// CheckpointError reports a checkpoint that cannot be taken up.
type CheckpointError struct {
	Path    string
	Problem string
}

func (e *CheckpointError) Error() string {
	return fmt.Sprintf("checkpoint %s: %s; remove the file to start afresh, or name another checkpoint", e.Path, e.Problem)
}

func (c checkpoint) write(path string) error {
	return atomicfile.WriteFile(path, c.writeTo)
}

func (c checkpoint) writeTo(w io.Writer) error {
	c.Format = checkpointFormat
	head, err := json.Marshal(c.checkpointHead)
	if err != nil {
		return err
	}
	one := func(data []float32) safetensors.Tensor {
		return safetensors.Tensor{Shape: []int{len(data)}, Data: data}
	}
	return safetensors.Write(w, map[string]safetensors.Tensor{
		paramsTensor: one(c.params), firstMoment: one(c.m), secondMoment: one(c.v),
	}, map[string]string{checkpointKey: string(head)})
}

func openCheckpoint(path string) (checkpoint, error) {
	file, err := os.Open(path)
	if err != nil {
		return checkpoint{}, err
	}
	defer file.Close()
	c, err := readCheckpoint(bufio.NewReader(file))
	if err != nil {
		return c, &CheckpointError{path, err.Error()}
	}
	return c, nil
}

func readCheckpoint(r io.Reader) (c checkpoint, err error) {
	f, err := safetensors.Read(r)
	if err != nil {
		return c, err
	}
	text, ok := f.Metadata[checkpointKey]
	if !ok {
		return c, errors.New("it is not a checkpoint of this program")
	}
	if err := modelfile.Unmarshal([]byte(text), &c.checkpointHead); err != nil {
		return c, fmt.Errorf("it is damaged: %w", err)
	}
	switch {
	case c.Format != 0 && c.Format != checkpointFormat:
		return c, fmt.Errorf("it has format %d; this version reads format %d", c.Format, checkpointFormat)
	case c.Format == checkpointFormat && !f.Sealed:
		return c, errors.New("it is damaged: it has no digest")
	}
	c.sealed = f.Sealed
	c.params, c.m, c.v = f.Tensors[paramsTensor].Data, f.Tensors[firstMoment].Data, f.Tensors[secondMoment].Data
	return c, nil
}

// belongs returns an error unless the checkpoint is of the run with that fingerprint,
// so many steps and so many parameters.
func (c checkpoint) belongs(path, run string, steps, params int) error {
	switch {
	case c.Run != run:
		return &CheckpointError{path, "it belongs to a run with other options or other data"}
	case len(c.params) != params || len(c.m) != params || len(c.v) != params:
		return &CheckpointError{path, fmt.Sprintf("it is damaged: it holds %d parameters and %d and %d moments of %d", len(c.params), len(c.m), len(c.v), params)}
	case c.Steps < 0 || c.Steps > steps:
		return &CheckpointError{path, fmt.Sprintf("it is damaged: it was written after step %d of %d", c.Steps, steps)}
	}
	for i, v := range c.v {
		if !isFinite(c.params[i]) || !isFinite(c.m[i]) || !isFinite(v) || v < 0 {
			return &CheckpointError{path, fmt.Sprintf("it is damaged: parameter %d is %g with the moments %g and %g", i+1, c.params[i], c.m[i], v)}
		}
	}
	return nil
}

func isFinite(v float32) bool { return v-v == 0 }

// fingerprint identifies a run by all that its result depends on.
func (l *loop) fingerprint(ctx context.Context) (string, error) {
	h := sha256.New()
	specs := make([]any, len(l.bases))
	for i, b := range l.bases {
		specs[i] = b.Spec()
	}
	about := map[string]any{"recipe": l.Recipe, "bases": specs, "rows": l.rows.Len()}
	if law := likelihood.Describe(l.law); law.Name != "" {
		about["likelihood"] = law.Name
		if law.Base != nil {
			about["law"] = law
		}
	}
	// Encoding plain structs and writing to a hash do not fail.
	_ = json.NewEncoder(h).Encode(about)
	block := make([]byte, 0, 1<<16)
	err := l.rows.Each(ctx, 1<<12, func(rows elbo.Batch) error {
		for _, values := range [][]float32{rows.X, rows.Y, rows.Weights} {
			for part := range slices.Chunk(values, cap(block)/4) {
				block = block[:0]
				for _, v := range part {
					block = binary.LittleEndian.AppendUint32(block, math.Float32bits(v))
				}
				h.Write(block)
			}
		}
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
