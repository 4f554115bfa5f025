//go:build !lean && !wasm

package tablefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"
)

// The Arrow library makes room for as many fields and pairs of metadata as a schema
// says it has before it looks at any, and running out of memory is no panic that
// could be caught. So the counts are held against the bytes that there are first.

// Slots of the flatbuffers' tables, from Arrow's Schema.fbs, Message.fbs and File.fbs.
const (
	messageHeader  = 8
	footerSchema   = 6
	schemaFields   = 6
	schemaMetadata = 8
	schemaFeatures = 10
	fieldChildren  = 14
	fieldMetadata  = 16
	fieldDepth     = 64 // nested fields of a sensible file end long before
)

var errSchema = errors.New("its schema claims more than its bytes hold")

// checkSchema refuses a file whose schema claims more than it holds. It may panic where
// offsets point nowhere.
func (a *binaryFile) checkSchema() error {
	if a.size < 10 {
		return nil // which the library says
	}
	end := make([]byte, 10)
	if _, err := a.ReadAt(end, a.size-10); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(end))
	if !bytes.Equal(end[4:], []byte("ARROW1")) || length > a.size-10 {
		return nil // likewise
	}
	footer, err := a.metadata(a.size-10-length, length)
	if err != nil {
		return err
	}
	return checkTable(footer, footerSchema)
}

func (a *binaryFile) metadata(at, length int64) ([]byte, error) {
	b := make([]byte, length)
	_, err := a.ReadAt(b, at)
	if err == io.EOF {
		err = nil
	}
	return b, err
}

// checkStream refuses a stream whose schema claims more than its message holds. It may
// panic where offsets point nowhere.
func checkStream(b []byte) error {
	if len(b) >= 4 && binary.LittleEndian.Uint32(b) == continuation {
		b = b[4:]
	}
	if len(b) < 4 {
		return nil // which the library says
	}
	length := int64(binary.LittleEndian.Uint32(b))
	if length < 4 || length > int64(len(b)-4) {
		return nil // likewise
	}
	return checkTable(b[4:4+length], messageHeader)
}

// continuation stands before the length of a message.
const continuation = 0xffffffff

// checkTable checks the schema in a slot of a buffer's root table.
func checkTable(b []byte, slot flatbuffers.VOffsetT) error {
	root := flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
	o := flatbuffers.UOffsetT(root.Offset(slot))
	if o == 0 {
		return nil
	}
	schema := flatbuffers.Table{Bytes: b, Pos: root.Indirect(o + root.Pos)}
	c := schemaCheck{left: len(b)}
	if err := errors.Join(c.count(schema, schemaMetadata, 4), c.count(schema, schemaFeatures, 8)); err != nil {
		return err
	}
	return c.fields(schema, schemaFields, 0)
}

// schemaCheck counts what a schema has against the bytes that it could take.
type schemaCheck struct{ left int }

// count takes the elements of a vector, of so many bytes each, off what is left.
func (c *schemaCheck) count(t flatbuffers.Table, slot flatbuffers.VOffsetT, size int) error {
	o := flatbuffers.UOffsetT(t.Offset(slot))
	if o == 0 {
		return nil
	}
	n := t.VectorLen(o)
	if n < 0 || n > c.left/size {
		return errSchema
	}
	c.left -= n * size
	return nil
}

// fields checks the fields in a slot, and those in them.
func (c *schemaCheck) fields(t flatbuffers.Table, slot flatbuffers.VOffsetT, depth int) error {
	if err := c.count(t, slot, 4); err != nil || depth == fieldDepth {
		return errors.Join(err, tooDeep(depth))
	}
	o := flatbuffers.UOffsetT(t.Offset(slot))
	if o == 0 {
		return nil
	}
	start := t.Vector(o)
	for i := range t.VectorLen(o) {
		field := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(4*i))}
		if err := c.count(field, fieldMetadata, 4); err != nil {
			return err
		}
		if err := c.fields(field, fieldChildren, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func tooDeep(depth int) error {
	if depth == fieldDepth {
		return errSchema
	}
	return nil
}
