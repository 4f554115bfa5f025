package apply

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/predictive"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/table/exact"
	"beziergp/tablefile"
)

// mostGroups is how many groups a column may make.
const mostGroups = 10_000

// groupers score rows by what columns hold.
type groupers struct {
	file    string
	about   about
	columns []*grouper
}

// grouper scores rows by what a column holds.
type grouper struct {
	name   string
	place  placer
	groups map[group]*tally
}

// group is one of a column's: its place in the order of groups, and its name.
type group struct {
	at   int
	name string
}

const lastGroup = 1 << 30 // of missing values

// groupers reads the columns to group by before the rows are scored: what they hold tells
// what their groups are.
func (o Options) groupers(ctx context.Context, s streams.Streams, m serve.Model, path string) (*groupers, error) {
	all := &groupers{file: path}
	if len(o.By) == 0 {
		return all, nil
	}
	for i, name := range o.By {
		if slices.Contains(o.By[:i], name) {
			return nil, exit.Usagef("--by: the column %q stands twice", name)
		}
	}
	if err := o.Source.CheckPipes(path, "--by"); err != nil {
		return nil, err
	}
	kinds, err := source.Guess(ctx, path, o.Source, s, o.By)
	if err != nil {
		return nil, err
	}
	categories := map[string]bool{}
	for _, c := range m.Columns() {
		categories[c.Name] = c.Kind == table.Category
	}
	placers := make([]placer, len(o.By))
	for k, name := range o.By {
		if kinds != nil {
			placers[k].parse = &kinds[k]
		}
		placers[k].levels = categories[name]
	}
	err = source.Survey(ctx, path, o.Source, s, o.By, func(columns []exact.Column, _ bool) error {
		for k := range placers {
			if placers[k].take(&columns[k]) < 0 { // of others begin tells
				placers[k].look()
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for k, name := range o.By {
		placers[k].settle()
		all.columns = append(all.columns, &grouper{name, placers[k], map[group]*tally{}})
	}
	return all, nil
}

// begin takes a block whose rows [groupers.add] takes in.
func (g *groupers) begin(b *Block) error {
	for k, c := range g.columns {
		if bad := c.place.take(&b.Kept[k]); bad >= 0 {
			return &tablefile.Error{File: source.Name(g.file), Row: int(b.Rows[bad]), Column: c.name, Value: b.Kept[k].Texts[bad],
				Problem: "the column held other values when its groups were found", Remedy: "read the table again when it is complete"}
		}
	}
	return nil
}

// add takes in row i of the block, with what its distribution tells.
func (g *groupers) add(y float64, b *Block, i int, o predictive.Outcome) error {
	for _, c := range g.columns {
		where := c.place.of(i)
		t, known := c.groups[where]
		if !known {
			if len(c.groups) == mostGroups {
				return &tablefile.Error{File: source.Name(g.file), Column: c.name, Problem: fmt.Sprintf("it has more than %d groups", mostGroups),
					Remedy: "give --by a column whose values repeat"}
			}
			t = newGroup(g.about)
			c.groups[where] = t
		}
		t.add(y, b, i, o)
	}
	return nil
}

// report returns the scores of the groups, in order.
func (g *groupers) report(scores []named) (all []Groups) {
	for _, c := range g.columns {
		one := Groups{Column: c.name}
		order := slices.SortedFunc(maps.Keys(c.groups), func(a, b group) int {
			if a.at != b.at {
				return a.at - b.at
			}
			return strings.Compare(a.name, b.name)
		})
		for _, where := range order {
			one.Names = append(one.Names, where.name)
			one.Scores = append(one.Scores, of(scores, c.groups[where]))
		}
		all = append(all, one)
	}
	return all
}
