package rest

import (
	"net/http"

	"beziergp/box"
	"beziergp/explain"
	"beziergp/model"
	"beziergp/server/repository"
	"beziergp/table"
)

// description tells people, and the page, what a model predicts and from what.
type description struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Target  string   `json:"target"`
	Policy  string   `json:"out_of_box"`
	Explain bool     `json:"explain"`
	Classes []string `json:"classes,omitempty"` // of the target, whose probabilities are told
	Columns []column `json:"columns"`
}

// column is what a value may be: of a number and a time lowest and highest in training, a time
// in seconds since the beginning of 1970.
type column struct {
	Name    string     `json:"name"`
	Kind    table.Kind `json:"kind"`
	Lo      *float64   `json:"lo,omitempty"`
	Hi      *float64   `json:"hi,omitempty"`
	Typical *float64   `json:"typical,omitempty"` // near the median
	Levels  []string   `json:"levels,omitempty"`
	Missing bool       `json:"missing"` // whether a training row lacked it
	// Parts are the columns that this one is made of, by which a row can have it, too.
	Parts []string `json:"parts,omitempty"`
	// Role is exposure or offset of the column that is one; every row needs its value.
	Role string `json:"role,omitempty"`
}

func (h *Handler) describe(a *answer, r *http.Request) error {
	m, err := h.Repository.Model(r.PathValue("model"), "")
	if err != nil {
		return err
	}
	a.json(http.StatusOK, describe(m))
	return nil
}

func describe(m *repository.Loaded) *description {
	own, ok := m.Model.Model.(*model.Model)
	d := &description{Name: m.Name, Version: m.Version, Target: m.Target().Name, Policy: string(m.Policy()), Classes: m.Classes()}
	d.Explain = ok && explain.Check(own) == nil
	for _, f := range m.Columns() {
		c := column{Name: f.Name, Kind: f.Kind, Levels: f.Levels, Parts: f.Parts}
		if c.Kind == "" {
			c.Kind = table.Numeric
		}
		if o := m.Offset(); o != nil && o.Column == f.Name {
			neutral := 0.0
			if c.Role = "offset"; o.Exposure {
				c.Role, neutral = "exposure", 1
			}
			c.Typical = &neutral
		}
		for i := range m.Inputs() {
			in := &m.Inputs()[i]
			if in.Source() != f.Name {
				continue
			}
			c.Missing = c.Missing || in.Missing
			if c.Kind == table.Category || in.Part != "" && in.Part != box.Time {
				continue
			}
			scale := 1.0
			if in.Part == box.Time { // in days
				scale = 24 * 60 * 60
			}
			lo, hi := scale*in.Lo, scale*in.Hi
			c.Lo, c.Hi = &lo, &hi
			if p := m.Profile(); p != nil && len(p.Inputs[i].Cuts) > 0 {
				cuts := p.Inputs[i].Cuts
				middle := scale * cuts[len(cuts)/2]
				c.Typical = &middle
			}
		}
		d.Columns = append(d.Columns, c)
	}
	return d
}
