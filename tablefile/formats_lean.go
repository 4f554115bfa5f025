//go:build lean || wasm

package tablefile

import (
	"context"

	"beziergp/internal/format"
)

// What other builds read. The libraries behind these formats are most of the program.
var typedFormats = map[format.Format]func(*binaryFile) (typed, error){
	format.Parquet: noFormat(format.Parquet),
	format.Arrow:   noFormat(format.Arrow),
	format.SQLite:  noFormat(format.SQLite),
}

var databases = map[string]openDatabase{"sqlite": noDatabase, "postgres": noDatabase, "postgresql": noDatabase}

func noFormat(of format.Format) func(*binaryFile) (typed, error) {
	return func(f *binaryFile) (typed, error) {
		f.Close()
		return nil, leftOut(f.name, "this is "+string(of))
	}
}

func noDatabase(context.Context, string, string) (string, sqlRows, []string, error) {
	return "", nil, nil, leftOut("the URL of the database", "it names a database") // it may hold a password
}

func leftOut(file, problem string) *Error {
	return &Error{File: file, Problem: problem + ", and this program is a lean build, which reads text alone",
		Remedy: "take the whole program (go install ./cmd/beziergp), or write the table as CSV"}
}

// Formats returns the names of the formats that this program reads.
func Formats() []string { return []string{"CSV"} }
