package tablecache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"

	"beziergp/table"
)

// A finished cache ends in its footer, the SHA-256 of that and of what follows the
// digest, the footer's length and the magic.
const (
	magic = "beziergp cache 2"
	// unsealed ends caches of before, which have no digest.
	unsealed = "beziergp cache 1"
	endBytes = 8 + len(magic)
)

// footer describes the file; it is JSON behind the blocks.
type footer struct {
	Source    string        `json:"source"`
	Dropped   int           `json:"dropped"`
	Fields    []table.Field `json:"fields"`
	Meaning   [][]uint64    `json:"meaning"` // by column: bits of the values that indices in the blocks stand for; nil for values
	Rows      int           `json:"rows"`
	BlockRows int           `json:"block_rows"`
	Checksums []uint32      `json:"checksums"` // by block
	Summaries []summaryJSON `json:"summaries"`
	Sample    [][]uint64    `json:"sample"` // bits of the values, by column
}

// summaryJSON is a Summary whose extremes may be what JSON has no numbers for.
type summaryJSON struct {
	Missing int    `json:"missing"`
	Lo      uint64 `json:"lo"`
	Hi      uint64 `json:"hi"`
	Counts  []int  `json:"counts,omitempty"`
}

// BlockRows returns the number of rows of a block of so many columns.
func BlockRows(columns int) int { return max(leastRows, blockValues/columns) }

// bytes returns the footer with what follows it.
func (f *footer) bytes() ([]byte, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return sealed(text), nil
}

// sealed returns a footer's text with digest, length and magic.
func sealed(text []byte) []byte {
	end := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), magic...)
	digest := digestOf(text, end)
	return append(append(text, digest[:]...), end...)
}

func digestOf(text, end []byte) (digest [sha256.Size]byte) {
	h := sha256.New()
	h.Write(text)
	h.Write(end)
	h.Sum(digest[:0])
	return digest
}

// readFooter reads the footer of a file of so many bytes. It believes no length before
// it has seen it is there.
func readFooter(file io.ReaderAt, size int64) (f footer, hasDigest bool, err error) {
	left := size - int64(endBytes)
	end := make([]byte, endBytes)
	if left < 0 {
		return f, false, ErrDamaged
	}
	if _, err := file.ReadAt(end, left); err != nil {
		return f, false, err
	}
	var digest [sha256.Size]byte
	switch string(end[8:]) {
	case unsealed:
	case magic:
		hasDigest = true
		if left -= sha256.Size; left < 0 {
			return f, false, ErrDamaged
		}
		if _, err := file.ReadAt(digest[:], left); err != nil {
			return f, false, err
		}
	default:
		return f, false, ErrDamaged
	}
	length := binary.LittleEndian.Uint64(end)
	if length > uint64(left) {
		return f, false, ErrDamaged
	}
	text := make([]byte, length)
	blocks := left - int64(length)
	if _, err := file.ReadAt(text, blocks); err != nil {
		return f, false, err
	}
	if hasDigest && digestOf(text, end) != digest {
		return f, false, ErrDamaged
	}
	if err := json.Unmarshal(text, &f); err != nil || !f.sound(blocks) {
		return f, false, ErrDamaged
	}
	return f, hasDigest, nil
}

// sound tells whether the footer describes so many bytes of blocks, and whether all that
// is looked up in one of its lists is there.
func (f *footer) sound(blocks int64) bool {
	columns := int64(len(f.Fields))
	if columns == 0 || len(f.Meaning) != len(f.Fields) || len(f.Summaries) != len(f.Fields) || len(f.Sample) != len(f.Fields) {
		return false
	}
	if row := columns * float64Bytes; blocks%row != 0 || int64(f.Rows) != blocks/row || f.BlockRows != BlockRows(len(f.Fields)) || f.Dropped < 0 {
		return false
	}
	if n := len(f.Checksums); n != f.Rows/f.BlockRows+min(f.Rows%f.BlockRows, 1) {
		return false
	}
	for j, field := range f.Fields {
		if !soundField(field, unbits(f.Meaning[j])) || len(f.Sample[j]) > f.Rows || !f.Summaries[j].sound(f.Rows) {
			return false
		}
		if counts := len(f.Summaries[j].Counts); f.Meaning[j] != nil && counts > len(f.Meaning[j]) {
			return false
		}
	}
	return true
}

// soundField tells whether a field has a kind, and whether what its indices stand for
// are its values.
func soundField(f table.Field, meaning []float64) bool {
	switch f.Kind {
	case "", table.Numeric, table.Boolean, table.Category, table.DateTime:
	default:
		return false
	}
	for _, v := range meaning {
		if f.Problem(v) != "" || f.Kind == table.Category && int(v) == len(f.Levels) {
			return false
		}
	}
	return true
}

// sound tells whether a summary may be of so many rows.
func (s summaryJSON) sound(rows int) bool {
	lo, hi := math.Float64frombits(s.Lo), math.Float64frombits(s.Hi)
	none := math.IsInf(lo, 1) && math.IsInf(hi, -1)
	if s.Missing < 0 || s.Missing > rows || !none && !(lo <= hi) {
		return false
	}
	left := rows - s.Missing
	for _, n := range s.Counts {
		if n < 0 || n > left {
			return false
		}
		left -= n
	}
	return s.Counts == nil || left == 0
}
