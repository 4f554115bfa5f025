package report

import (
	"math"
	"strconv"
)

// Report is what the page tells. Columns and inputs are named as they are printed.
type Report struct {
	Title   string
	Target  string
	Scale   string // what values of f are in: the target, or the transformed target
	Learned []Fact
	// Warnings are what a reader should know before they rely on the numbers.
	Warnings []string
	// Without are the sections that there are not.
	Without     []Without
	Scores      []Score
	Calibration []Calibration
	Importance  []Importance // of columns, the largest first; nil without rows
	Base        float64      // what is predicted without any column, the sum's other part
	Indices     []Index      // of inputs, the largest total first; nil where the process is none
	Pairs       []Pair       // the largest first
	Effects     []Effect     // in the order of Indices
	Noise       []Noise      // of the columns that matter most
	// Rows are drawn at random out of Total, Shown of them, and behind these those with the
	// largest errors, in the order of the table.
	Rows         []Row
	Shown, Total int
	Seed         uint64
	// LowerBounds says that deviations of effects are lower bounds: the model takes the errors
	// of f at rows that are apart for independent.
	LowerBounds bool
	Training    string // the options of the recipe, as the model has them
	Repeat      Repeat
}

// Fact is a name and what it stands for.
type Fact struct{ Name, Text string }

// Without is a section that a report has not.
type Without struct{ Section, Why string }

// Repeat says how to make the report again. The caller fills it in.
type Repeat struct {
	Command, Version string
}

// Score is one of predictions. Nil is what is not known, or no number.
type Score struct {
	Name, Meaning   string
	OutOfFold, Rows *float64
}

// Calibration counts probability integral transforms in equal parts of [0, 1].
type Calibration struct {
	Of   string
	Rows int
	PIT  []int
}

// Importance is what a column adds to predictions: Shapley values over all rows.
type Importance struct {
	Column                   string
	MeanAbs, Lowest, Highest float64
	Missing                  int // rows without a value
}

// Index is an input's share of the variance of f (Sobol', 1993).
type Index struct {
	Input               string
	First, Total, Error float64 // Error is the standard error of Total
}

// Pair is the share of the variance of f that two inputs have together beyond what each has
// alone, and for the first pairs the effect of both.
type Pair struct {
	First, Second string
	Index         float64
	Effect        *Effect
}

// Effect is E[f | x] over values of an input, the others averaged over.
type Effect struct {
	Input  string   `json:"input"`
	Kind   string   `json:"kind"`             // "number", "time" or "level"
	At     []number `json:"at,omitempty"`     // values; of a time in seconds since 1970
	Levels []string `json:"levels,omitempty"` // names of values, of a level
	Share  []number `json:"share,omitempty"`  // of training rows by level, where they are known
	Curves []Curve  `json:"curves"`
	Index  number   `json:"index"` // the total Sobol index
}

// Curve is one line of an effect; Std is nil where it is not told.
type Curve struct {
	Name string   `json:"name,omitempty"`
	Mean []number `json:"mean"`
	Std  []number `json:"std,omitempty"`
}

// Noise is the values of a column at Report.Rows, to draw deviations against.
type Noise struct {
	Column string   `json:"column"`
	Kind   string   `json:"kind"`
	Levels []string `json:"levels,omitempty"`
	At     []number `json:"at"` // of a level, its place in Levels
}

// Row is the prediction of one row.
type Row struct {
	Row       int64  `json:"row"` // its number in the table, counted from 1
	Observed  number `json:"y"`   // NaN where it is not known
	Predicted number `json:"mu"`
	Std       number `json:"sd"`
	StdF      number `json:"sf"` // NaN where the method does not tell
	Lower     number `json:"lo"`
	Upper     number `json:"hi"`
	InBox     bool   `json:"in"`
	Largest   bool   `json:"top,omitempty"` // its error is one of the largest
	// Parts are the columns that matter most in the row, the largest first; Rest is what the
	// others add, and F what all add up to.
	Parts []Part `json:"parts,omitempty"`
	Rest  number `json:"rest"`
	F     number `json:"f"`
}

// Part is what a column adds to the prediction of a row.
type Part struct {
	Column int    `json:"c"` // in Report.Importance
	Cell   string `json:"x"`
	Value  number `json:"v"`
}

// number is one in JSON with six digits, null where it is none.
type number float64

// MarshalJSON writes it.
func (n number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return strconv.AppendFloat(nil, v, 'g', 6, 64), nil
	}
	return []byte("null"), nil
}

func numbers(values []float64) []number {
	out := make([]number, len(values))
	for i, v := range values {
		out[i] = number(v)
	}
	return out
}
