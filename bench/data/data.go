// Package data makes the tables of benchmarks ready: those of the user's folder,
// those derived from them, and generated ones. Whatever it writes goes to a folder of
// its own, whole or not at all, and is made only where it is missing.
package data

import (
	"context"
	"errors"
)

// Places are the folders of tables. Either may be empty.
type Places struct {
	Data string // the user's: NAME/data.csv.gz and NAME/test_mask.csv.gz
	Work string // what is made from them, or generated
}

// Table is one that is ready to be learned.
type Table struct {
	Path   string `json:"path"`
	Mask   string `json:"mask"` // file whose columns split0, split1, … mark test rows with 1
	Target string `json:"target"`
	// Floor is the deviation of the target's noise, below which no RMSE gets, where it
	// is known; else 0.
	Floor float64 `json:"floor,omitempty"`
}

// Source is where a table comes from.
type Source interface {
	// Splits returns how many splits the table has. It fails with [ErrAbsent] where the
	// table is not there and cannot be made, and takes no time.
	Splits(Places) (int, error)
	// Ready makes what is missing.
	Ready(context.Context, Places) (Table, error)
}

// ErrAbsent is the error about a table that the user's folder has not.
var ErrAbsent = errors.New("there is no such table")

// target is the name of the column to learn in tables that are made here, and in the
// user's unless told otherwise.
const target = "y"
