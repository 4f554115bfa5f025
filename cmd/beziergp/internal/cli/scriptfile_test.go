package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/rogpeppe/go-internal/testscript"

	"beziergp/internal/safetensors"
)

// arrow FROM TO writes the columns of a CSV file in the opposite order to an Arrow file:
// numbers as float32, anything else as text.
func writeArrow(ts *testscript.TestScript, _ bool, args []string) {
	lines, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	var fields []arrow.Field
	var columns []arrow.Array
	for k := len(lines[0]) - 1; k >= 0; k-- {
		numbers, texts := array.NewFloat32Builder(memory.DefaultAllocator), array.NewStringBuilder(memory.DefaultAllocator)
		isNumber := true
		for _, line := range lines[1:] {
			v, err := strconv.ParseFloat(line[k], 32)
			switch {
			case line[k] == "":
				numbers.AppendNull()
				texts.AppendNull()
				continue
			case err != nil:
				isNumber = false
			}
			numbers.Append(float32(v))
			texts.Append(line[k])
		}
		if isNumber {
			fields = append(fields, arrow.Field{Name: lines[0][k], Type: arrow.PrimitiveTypes.Float32, Nullable: true})
			columns = append(columns, numbers.NewArray())
		} else {
			fields = append(fields, arrow.Field{Name: lines[0][k], Type: arrow.BinaryTypes.String, Nullable: true})
			columns = append(columns, texts.NewArray())
		}
	}
	batch := array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(len(lines)-1))
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	defer f.Close()
	w, err := ipc.NewFileWriter(f, ipc.WithSchema(batch.Schema()))
	ts.Check(err)
	ts.Check(w.Write(batch))
	ts.Check(w.Close())
}

// forget FROM TO copies a model without what it remembers of its training rows, as former
// versions wrote it.
func forget(ts *testscript.TestScript, _ bool, args []string) {
	f, err := safetensors.Read(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	delete(f.Tensors, "trained_on")
	for key, text := range f.Metadata {
		var head map[string]json.RawMessage
		ts.Check(json.Unmarshal([]byte(text), &head))
		delete(head, "trained_on")
		changed, err := json.Marshal(head)
		ts.Check(err)
		f.Metadata[key] = string(changed)
	}
	writeTensors(ts, args[1], f.Tensors, f.Metadata)
}
