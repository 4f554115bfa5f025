package train

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"beziergp/elbo"
	"beziergp/internal/aside"
	"beziergp/internal/safetensors"
)

// checkpointKey is the metadata entry of a checkpoint's head.
const checkpointKey = "beziergp.checkpoint"

// checkpoint is the state of a run after a whole number of steps.
type checkpoint struct {
	checkpointHead
	params, m, v []float32
}

type checkpointHead struct {
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
	head, err := json.Marshal(c.checkpointHead)
	if err != nil {
		return err
	}
	one := func(data []float32) safetensors.Tensor {
		return safetensors.Tensor{Shape: []int{len(data)}, Data: data}
	}
	return aside.WriteFile(path, func(w io.Writer) error {
		return safetensors.Write(w, map[string]safetensors.Tensor{
			"params": one(c.params), "adam.m": one(c.m), "adam.v": one(c.v),
		}, map[string]string{checkpointKey: string(head)})
	})
}

func readCheckpoint(path string) (checkpoint, error) {
	file, err := os.Open(path)
	if err != nil {
		return checkpoint{}, err
	}
	defer file.Close()
	tensors, metadata, err := safetensors.Read(bufio.NewReader(file))
	if err != nil {
		return checkpoint{}, &CheckpointError{path, err.Error()}
	}
	c := checkpoint{params: tensors["params"].Data, m: tensors["adam.m"].Data, v: tensors["adam.v"].Data}
	if err := json.Unmarshal([]byte(metadata[checkpointKey]), &c.checkpointHead); err != nil {
		return checkpoint{}, &CheckpointError{path, "it is not a checkpoint of this program"}
	}
	return c, nil
}

// belongs returns an error unless the checkpoint is of the run with that
// fingerprint and number of parameters.
func (c checkpoint) belongs(path, run string, params int) error {
	switch {
	case c.Run != run:
		return &CheckpointError{path, "it belongs to a run with other options or other data"}
	case len(c.params) != params || len(c.m) != params || len(c.v) != params || c.Steps < 0:
		return &CheckpointError{path, "it is damaged"}
	}
	return nil
}

// fingerprint identifies a run by all that its result depends on.
func (l *loop) fingerprint(ctx context.Context) (string, error) {
	h := sha256.New()
	specs := make([]any, len(l.data.Bases))
	for i, b := range l.data.Bases {
		specs[i] = b.Spec()
	}
	// Encoding plain structs and writing to a hash do not fail.
	_ = json.NewEncoder(h).Encode(map[string]any{"recipe": l.Paper, "bases": specs, "rows": l.data.rows()})
	block := make([]byte, 0, 1<<16)
	err := l.data.each(ctx, 1<<12, func(rows elbo.Batch) error {
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
