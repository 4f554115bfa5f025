package serve_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"beziergp/box"
	"beziergp/model"
	"beziergp/serve"
)

// A model of any kind is read and tells what it predicts, and from which columns.
func ExampleLoad() {
	m, err := serve.Load("../model/testdata/format4.bgp")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("predicts", m.Target().Name)
	for _, c := range m.Columns() {
		fmt.Println(c.Name, c.Kind, c.Levels)
	}
	// Output:
	// predicts y
	// x numeric []
	// z numeric []
	// c category [ant bee cow]
	// when datetime []
}

// What a stream holds is read likewise.
func ExampleRead() {
	_, err := serve.Read(bytes.NewReader([]byte("x,y\n1,2\n")))
	var bad *model.FileError
	fmt.Println(errors.As(err, &bad))
	// Output: true
}

// A request becomes a row by the columns of the model. A level that no training row had is
// no error: what becomes of it is the policy's affair.
func ExampleSchema_Row() {
	m, err := serve.Load("../model/testdata/format4.bgp")
	if err != nil {
		log.Fatal(err)
	}
	s := serve.NewSchema(m.Columns(), m.Missing())
	row, err := s.Row(map[string]any{"x": 0.25, "z": nil, "c": "dodo", "when": time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), "id": 17})
	fmt.Println(row, err)
	_, err = s.Row(map[string]any{"x": "a lot", "z": nil, "c": "ant", "when": nil})
	fmt.Println(err)
	_, err = s.Row(map[string]any{"X": 1, "z": nil, "c": "ant", "when": nil})
	fmt.Println(err)
	// Output:
	// [0.25 NaN 4 1.7092512e+09] <nil>
	// column "x": "a lot" is not a number; mend the value
	// no column "x"; did you mean "X"?
}

// A row of a JSON object.
func ExampleSchema_RowOfJSON() {
	m, err := serve.Load("../model/testdata/format4.bgp")
	if err != nil {
		log.Fatal(err)
	}
	row, err := serve.NewSchema(m.Columns(), m.Missing()).RowOfJSON([]byte(`{"x": 0.25, "z": 1, "c": "bee", "when": "2024-03-01"}`))
	fmt.Println(row, err)
	// Output: [0.25 1 1 1.7092512e+09] <nil>
}

// Many requests at a time are predicted by the goroutines that ask.
func ExamplePool() {
	m, err := serve.Load("../model/testdata/format4.bgp")
	if err != nil {
		log.Fatal(err)
	}
	s := serve.NewSchema(m.Columns(), m.Missing())
	pool, err := serve.NewPool(m, model.PredictOptions{Policy: box.Clip})
	if err != nil {
		log.Fatal(err)
	}
	handle := func(ctx context.Context, request []byte) (string, error) {
		row, err := s.RowOfJSON(request)
		if err != nil {
			return "", err
		}
		var p model.Predictions
		if err := pool.Predict(ctx, row, &p); err != nil {
			return "", err
		}
		return fmt.Sprintf("%.1f, in the box %v", p.Mean[0], p.InBox[0]), nil
	}
	fmt.Println(handle(context.Background(), []byte(`{"x": 0.25, "z": 0, "c": "ant", "when": "2024-03-01"}`)))
	fmt.Println(handle(context.Background(), []byte(`{"x": 7, "z": 0, "c": "ant", "when": "2024-03-01"}`)))
	// Output:
	// 0.9, in the box true <nil>
	// -0.8, in the box false <nil>
}
