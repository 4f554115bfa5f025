package drift

import (
	"context"
	"slices"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/dataset/seen"
	"beziergp/internal/printable"
	"beziergp/monitor"
	"beziergp/table"
)

// Run compares the rows of the table data with those that the model in a file was trained
// on.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	if err := o.FailIf.Check(names); err != nil {
		return err
	}
	if err := sink.Apart(s.In, s.Out, append(o.Source.Reads(data), sink.Reads("MODEL", file)...)...); err != nil {
		return err
	}
	m, err := apply.Load(ctx, s, file, o.Output)
	if err != nil {
		return err
	}
	watch, err := monitor.New(m)
	if err != nil {
		return exit.Dataf("%s: %w", file, err)
	}
	how := apply.Options{Source: o.Source, Workers: o.Workers}
	if m.Policy() == box.Refuse { // rows outside are to be counted
		how.Policy = box.Clip
	}
	target := o.Target
	if target == "" {
		target = m.Target().Name
	}
	if slices.ContainsFunc(m.Columns(), func(c table.Field) bool { return c.Name == target }) {
		return exit.Usagef("--target: %q is an input of the model", target)
	}
	mapping, count := box.New(m.Inputs()), (*seen.Count)(nil)
	hasher := seen.NewHasher(&mapping, m.Target().Name)
	if rows := m.Seen(); rows != nil {
		count = rows.Count()
	}
	law := apply.LawOf(m)
	further := apply.Further{Numbers: []string{target}, Optional: o.Target == ""}
	result, err := apply.Run(ctx, s, m, data, how, further, "comparing", func(b *apply.Block) error {
		var y []float64
		if len(b.Numbers) > 0 {
			y = b.Numbers[0]
		}
		if err := b.CheckTarget(law, target, y); err != nil {
			return err
		}
		watch.Add(b.Inputs, y, b.Predictions)
		for i, v := range y {
			if v == v && count != nil {
				count.Add(hasher.Sum(b.Inputs, i, v))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	result.Seen(count)
	if err := result.CheckSeen(s, false); err != nil {
		return err
	}
	d := &drift{Model: file, Data: source.Name(data), Report: watch.Report(), Outside: result.Outside.Values, outside: result.Outside}
	if o.JSON {
		encoder := printable.Encoder(s.Out)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(d)
	} else {
		err = d.print(s.Out, o.All)
	}
	if err != nil {
		return err
	}
	return o.FailIf.Judge(d.gates())
}

// drift is what the verb prints; programs rely on the names.
type drift struct {
	Model string `json:"model"`
	Data  string `json:"data"`
	*monitor.Report
	Outside map[box.Reason]map[string]int `json:"outside_by_input"` // values
	outside *apply.Outside
}
