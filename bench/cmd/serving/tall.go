package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"beziergp/box"
	"beziergp/model"
	"beziergp/serve"
)

// tallRows is how many rows are asked at once.
const tallRows = 100_000

// tall is how long all of them take: the server's answer, and the library's.
type tall struct{ server, library []time.Duration }

// measureTall has the server and the library predict the same rows by turns, and fails where
// a number differs.
func measureTall(ctx context.Context, url, path string) (*tall, error) {
	random := rand.New(rand.NewPCG(5, 6))
	columns := make([][]float64, inputs)
	tail := make([]byte, 0, 8*inputs*tallRows)
	for range tallRows {
		for k, v := range row(random) {
			columns[k] = append(columns[k], v)
			tail = binary.LittleEndian.AppendUint64(tail, math.Float64bits(v))
		}
	}
	head := fmt.Sprintf(`{"inputs": [{"name": "all", "shape": [%d, %d], "datatype": "FP64", "parameters": {"binary_data_size": %d}}], "parameters": {"binary_data_output": true}}`, tallRows, inputs, len(tail))
	m, err := serve.Load(path)
	if err != nil {
		return nil, err
	}
	p, err := m.NewPredictor(model.PredictOptions{Policy: box.Clip})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var out model.Predictions
	t := &tall{}
	for range 9 {
		began := time.Now()
		p.Reset()
		if err := p.Predict(ctx, columns, &out); err != nil {
			return nil, err
		}
		t.library = append(t.library, time.Since(began))
		runtime.GC()
		began = time.Now()
		answer, from, err := askTall(ctx, url, head, tail)
		t.server = append(t.server, time.Since(began))
		if err != nil {
			return nil, err
		}
		for i, want := range out.Mean { // the first output
			if got := math.Float64frombits(binary.LittleEndian.Uint64(answer[from+8*i:])); got != want {
				return nil, fmt.Errorf("row %d is %v from the server, and %v from the library", i, got, want)
			}
		}
	}
	return t, nil
}

func askTall(ctx context.Context, url, head string, tail []byte) (answer []byte, from int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v2/models/friedman/infer", io.MultiReader(bytes.NewReader([]byte(head)), bytes.NewReader(tail)))
	if err != nil {
		return nil, 0, err
	}
	r.ContentLength = int64(len(head) + len(tail))
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set("Inference-Header-Content-Length", strconv.Itoa(len(head)))
	r.Header.Set("Accept-Encoding", "identity")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, 0, err
	}
	defer got.Body.Close()
	if answer, err = io.ReadAll(got.Body); err == nil && got.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", got.Status, answer)
	}
	if err != nil {
		return nil, 0, err
	}
	from, err = strconv.Atoi(got.Header.Get("Inference-Header-Content-Length"))
	return answer, from, err
}
