package safetensors

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// entry is a tensor's description in the header.
type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Write writes tensors, ordered by name with numbers by their value, and metadata, and the
// digest of all. Equal content makes equal bytes. The tensors are gone through twice, for the digest comes
// before them.
func Write(w io.Writer, tensors map[string]Tensor, metadata map[string]string) error {
	names := slices.SortedFunc(maps.Keys(tensors), natural)
	text, err := header(names, tensors, metadata)
	if err != nil {
		return err
	}
	at, ok := digestAt(text)
	if !ok {
		return errors.New("a header without its digest")
	}
	digest := newDigest(text, at)
	if err := writeTensors(digest, names, tensors); err != nil {
		return err
	}
	copy(text[at:], hex.EncodeToString(digest.Sum(nil)))
	if err := binary.Write(w, binary.LittleEndian, uint64(len(text))); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	return writeTensors(w, names, tensors)
}

// header returns the header, with zeros for the digest.
func header(names []string, tensors map[string]Tensor, metadata map[string]string) ([]byte, error) {
	if _, taken := metadata[digestKey]; taken {
		return nil, fmt.Errorf("metadata %q is the file's digest", digestKey)
	}
	own := map[string]string{digestKey: noDigest}
	maps.Copy(own, metadata)
	all := map[string]any{metadataKey: own}
	var at int64
	for _, name := range names {
		if name == metadataKey {
			return nil, fmt.Errorf("a tensor cannot be called %q", name)
		}
		t := tensors[name]
		dtype, size := t.dtype()
		if n, ok := elements(t.Shape); !ok || n != int64(size) {
			return nil, fmt.Errorf("tensor %q: shape %v does not hold %d elements", name, t.Shape, size)
		}
		end := at + widthOf(dtype)*int64(size)
		all[name] = entry{dtype, append([]int{}, t.Shape...), [2]int64{at, end}}
		at = end
	}
	text, err := json.Marshal(all) // sorts the keys
	if err != nil {
		return nil, err
	}
	for len(text)%8 != 0 { // the tensors begin aligned
		text = append(text, ' ')
	}
	if len(text) > MaxHeader {
		return nil, fmt.Errorf("header of %d bytes; the format allows %d", len(text), MaxHeader)
	}
	return text, nil
}

func writeTensors(w io.Writer, names []string, tensors map[string]Tensor) error {
	block := make([]byte, 0, 1<<16)
	for _, name := range names {
		t := tensors[name]
		err := errors.Join(
			writeFloats(w, block, t.Data, func(b []byte, v float32) []byte {
				return binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}),
			writeFloats(w, block, t.Wide, func(b []byte, v float64) []byte {
				return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}))
		if err != nil {
			return err
		}
	}
	return nil
}

// writeFloats writes numbers through the memory of block.
func writeFloats[T any](w io.Writer, block []byte, data []T, add func([]byte, T) []byte) error {
	for part := range slices.Chunk(data, cap(block)/8) {
		block = block[:0]
		for _, v := range part {
			block = add(block, v)
		}
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// natural compares names, of which parts stand between dots: layers.9 comes before
// layers.10. Tensors that belong one after the other lie so in the file.
func natural(a, b string) int {
	return cmp.Or(slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		i, notI := strconv.ParseUint(a, 10, 64)
		j, notJ := strconv.ParseUint(b, 10, 64)
		if notI == nil && notJ == nil {
			return cmp.Compare(i, j)
		}
		return strings.Compare(a, b)
	}), strings.Compare(a, b))
}
