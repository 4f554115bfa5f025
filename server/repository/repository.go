// Package repository is the models that a server has: files, and folders of versions,
//
//	DIR/NAME/VERSION/model.bgp
//
// of which the highest version that can be used answers. A new version is read beside the
// old one and proved on rows before it takes its place, all at once; a file that cannot be
// used leaves the old one where it is, and the index names it. Names of clients are looked
// up among those that are known, and no file outside the folders is ever opened.
package repository

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"beziergp/model"
	"beziergp/serve"
	"beziergp/server/engine"
	"beziergp/server/oip"
)

// Options are how a repository works.
type Options struct {
	// Paths are files of models, and folders of such as have versions.
	Paths []string
	// Predict are the options by which a model is proved.
	Predict model.PredictOptions
	// Observer returns what is told of a model's work; nil for nobody.
	Observer func(name string, m serve.Model) engine.Observer
	// Read, if not nil, is told of every file that was read, with the error if it cannot be used.
	Read func(name string, err error)
	// Changed, if not nil, is told of every version that is loaded, left out or taken away.
	Changed func(oip.ModelIndex)
}

// Repository is models by their names. It is safe for concurrent use.
type Repository struct {
	options Options
	sources []source

	reload  sync.Mutex // one at a time
	current atomic.Pointer[state]
}

// state is the models at a time. It is not changed.
type state struct {
	models map[string]*Loaded
	index  []oip.ModelIndex
	off    map[string]bool   // which were unloaded by name
	bad    map[string]string // why versions cannot be used, by their stamps
}

// Loaded is a model that answers.
type Loaded struct {
	*engine.Model
	Name, Version string

	stamp string // of the file that it comes from
}

// Open reads all models. Every file that is named must be one, and of folders one at least
// must have some: else it fails, with a [model.FileError] where a file is none.
func Open(o Options) (*Repository, error) {
	r := &Repository{options: o}
	r.current.Store(&state{models: map[string]*Loaded{}, off: map[string]bool{}})
	names := map[string]string{}
	for _, path := range o.Paths {
		s, err := open(path)
		if err != nil {
			return nil, err
		}
		if f, single := s.(*file); single {
			if other, twice := names[f.name]; twice {
				return nil, fmt.Errorf("%s and %s are both called %q; rename one, or put them into folders DIR/NAME/VERSION/model.bgp", other, path, f.name)
			}
			names[f.name] = path
		}
		r.sources = append(r.sources, s)
	}
	first := r.update(nil, "")
	if first != nil {
		return nil, first
	}
	if len(r.current.Load().models) == 0 {
		return nil, fmt.Errorf("%s: no model in DIR/NAME/VERSION/model.bgp can be used%s", strings.Join(o.Paths, ", "), r.reasons())
	}
	return r, nil
}

// reasons says why nothing is ready.
func (r *Repository) reasons() string {
	var b strings.Builder
	for _, m := range r.Index() {
		fmt.Fprintf(&b, "; %s %s: %s", m.Name, m.Version, m.Reason)
	}
	return b.String()
}

// Model returns a model that answers: the current version where version is empty. It fails
// with an [oip.Error].
func (r *Repository) Model(name, version string) (*Loaded, error) {
	s := r.current.Load()
	m, ok := s.models[name]
	if ok && (version == "" || version == m.Version) {
		return m, nil
	}
	if ok {
		return nil, oip.Errorf(oip.NotFound, "model %q has no version %q here; ask for no version", name, version)
	}
	for _, known := range s.index {
		if known.Name == name {
			return nil, oip.Errorf(oip.Unavailable, "model %q is not loaded", name)
		}
	}
	return nil, oip.Errorf(oip.NotFound, "there is no model %q", name)
}

// Models returns the models that answer, by name.
func (r *Repository) Models() []*Loaded {
	var all []*Loaded
	for _, m := range r.current.Load().models {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *Loaded) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Index returns all versions that there are, those that answer among them.
func (r *Repository) Index() []oip.ModelIndex { return slices.Clone(r.current.Load().index) }

// Reload reads what has changed. What fails is in the index.
func (r *Repository) Reload() { _ = r.update(nil, "") }

// Load reads a model by name, whether it has changed or not, and fails with an [oip.Error]
// where there is none or it cannot be used.
func (r *Repository) Load(name string) error {
	_ = r.update(func(off map[string]bool) { delete(off, name) }, name)
	s := r.current.Load()
	found, reason := false, ""
	for _, m := range s.index { // the highest version comes first
		if m.Name == name {
			if !found {
				reason = m.Reason
			}
			found = true
		}
	}
	switch {
	case !found:
		return oip.Errorf(oip.NotFound, "there is no model %q", name)
	case reason != "":
		return oip.Errorf(oip.Invalid, "model %q cannot be used: %s", name, reason)
	}
	return nil
}

// Unload takes a model away, until it is loaded again. Requests that have it finish. It fails
// with an [oip.Error] where there is none.
func (r *Repository) Unload(name string) error {
	if !slices.ContainsFunc(r.Index(), func(m oip.ModelIndex) bool { return m.Name == name }) {
		return oip.Errorf(oip.NotFound, "there is no model %q", name)
	}
	_ = r.update(func(off map[string]bool) { off[name] = true }, "")
	return nil
}
