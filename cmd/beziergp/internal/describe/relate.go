package describe

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"beziergp/internal/splitmix"
	"beziergp/table"
)

// Columns are compared by so many rows, and pairs of inputs screened by fewer, of so many
// columns: all pairs are their square.
const (
	comparedRows   = 1 << 14
	screenedRows   = 1 << 10
	pairedColumns  = 300
	measuredPairs  = 100 // of those that the screen finds closest
	strongPair     = 0.5
	almostTheSame  = 0.98 // from which an input gives the target away
	sampleOfRows   = 1    // streams of random numbers
	sampleOfScreen = 2
)

// link is how closely a column goes with another one.
type link struct {
	Column  string  `json:"column"`
	With    string  `json:"with"`
	Measure measure `json:"measure"`
	Value   float64 `json:"value"`
}

// correlations are the links of a table, the closest first.
type correlations struct {
	Rows    int    `json:"rows"`                     // that were compared, some at random where there are many
	Target  []link `json:"target"`                   // of every column with the target
	Columns int    `json:"paired_columns,omitempty"` // whose pairs were compared, if not all
	Pairs   []link `json:"pairs"`                    // of inputs, those from [strongPair] on
}

// relate compares columns: each with the target, if there is one, and in pairs.
func relate(ctx context.Context, t *table.Table, target string) (*correlations, error) {
	rows := drawn(t.Rows(), comparedRows, sampleOfRows)
	names := t.Names()
	all := make([]series, len(names))
	err := each(ctx, len(names), func(j int) {
		f, _ := t.Field(names[j])
		values, _ := t.Column(names[j])
		all[j] = newSeries(f, pick(values, rows))
	})
	if err != nil {
		return nil, err
	}
	c := &correlations{Rows: len(rows), Target: []link{}, Pairs: []link{}}
	inputs := slices.DeleteFunc(slices.Clone(all), func(s series) bool { return s.Name == target })
	isMissing := func(s series) bool { return 10*s.known < len(s.values) } // mostly: few rows pair by chance
	if at := slices.IndexFunc(all, func(s series) bool { return s.Name == target }); at >= 0 {
		if c.Target, err = links(ctx, all[at], inputs); err != nil {
			return nil, err
		}
		// Of a wide table, pairs are looked for among what matters most.
		place := map[string]int{}
		for i, l := range c.Target {
			place[l.Column] = i - len(c.Target)
		}
		slices.SortStableFunc(inputs, func(a, b series) int { return cmp.Compare(place[a.Name], place[b.Name]) })
	}
	inputs = slices.DeleteFunc(inputs, isMissing)
	d := len(inputs)
	inputs = inputs[:min(d, pairedColumns)]
	if len(inputs) < d {
		c.Columns = len(inputs)
	}
	c.Pairs, err = pairs(ctx, inputs)
	return c, err
}

// links compares a column with others.
func links(ctx context.Context, with series, others []series) ([]link, error) {
	found := make([]link, len(others))
	err := each(ctx, len(others), func(j int) {
		value, by := associate(others[j], with)
		if by == spearman { // the straight line may fit better than the ranks
			if x, y := both(others[j].values, with.values); math.Abs(correlation(x, y)) > math.Abs(value) {
				value, by = correlation(x, y), pearson
			}
		}
		found[j] = link{others[j].Name, with.Name, by, value}
	})
	return closest(found), err
}

// closest sorts links and leaves out those that are none.
func closest(all []link) []link {
	all = slices.DeleteFunc(all, func(l link) bool { return math.IsNaN(l.Value) })
	slices.SortStableFunc(all, func(a, b link) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	return all
}

// pairs returns the strong links among columns. A few rows say which may be, and all which
// are.
func pairs(ctx context.Context, columns []series) ([]link, error) {
	if len(columns) == 0 {
		return []link{}, nil
	}
	rows := drawn(len(columns[0].values), screenedRows, sampleOfScreen)
	small := make([]series, len(columns))
	err := each(ctx, len(columns), func(j int) { small[j] = newSeries(columns[j].Field, pick(columns[j].values, rows)) })
	if err != nil {
		return nil, err
	}
	type pair struct {
		i, j  int
		value float64
	}
	found := make([][]pair, len(columns))
	err = each(ctx, len(columns), func(i int) {
		for j := range i {
			if v := screen(small[i], small[j]); math.Abs(v) > strongPair/2 {
				found[i] = append(found[i], pair{i, j, math.Abs(v)})
			}
		}
	})
	if err != nil {
		return nil, err
	}
	promising := slices.Concat(found...)
	slices.SortStableFunc(promising, func(a, b pair) int { return cmp.Compare(b.value, a.value) })
	promising = promising[:min(len(promising), measuredPairs)]
	strong := make([]link, len(promising))
	err = each(ctx, len(promising), func(k int) {
		a, b := columns[promising[k].j], columns[promising[k].i]
		value, by := associate(a, b)
		strong[k] = link{a.Name, b.Name, by, value}
	})
	strong = slices.DeleteFunc(closest(strong), func(l link) bool { return math.Abs(l.Value) < strongPair })
	return strong, err
}

// leak says how a column gives the target away, or nothing.
func (l link) leak() string {
	if math.Abs(l.Value) < almostTheSame {
		return ""
	}
	what := map[measure]string{spearman: "rank correlation", pearson: "correlation", ratio: "correlation ratio"}[l.Measure]
	return fmt.Sprintf("has %s %.4f with the target: leave it out by --exclude if you will not know it when you predict", what, l.Value)
}

// drawn returns rows out of n, all or about so many at random, in order.
func drawn(n, most int, stream uint64) []int {
	var rows []int
	for i := range n {
		if n <= most || float64(splitmix.Mix(splitmix.At(uint64(i))+stream)>>11)/(1<<53) < float64(most)/float64(n) {
			rows = append(rows, i)
		}
	}
	return rows
}

// pick returns the values of these rows.
func pick(values []float64, rows []int) []float64 {
	if len(rows) == len(values) {
		return values
	}
	out := make([]float64, len(rows))
	for k, i := range rows {
		out[k] = values[i]
	}
	return out
}
