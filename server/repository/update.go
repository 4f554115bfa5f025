package repository

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"beziergp/model"
	"beziergp/server/engine"
	"beziergp/server/oip"
)

// update finds out what there is, reads what is new, and puts it in place at once. change
// changes which models are off, nil for none; a model called again is read though its file is
// the same. It returns the first error of a file that was named.
func (r *Repository) update(change func(off map[string]bool), again string) (first error) {
	r.reload.Lock()
	defer r.reload.Unlock()
	old := r.current.Load()
	next := &state{models: map[string]*Loaded{}, off: maps.Clone(old.off)}
	if change != nil {
		change(next.off)
	}
	for _, s := range r.sources {
		versions, err := s.versions()
		if err != nil { // the file or the folder cannot be read: what it had stays
			next.keep(old, s, again, plain(err))
			continue
		}
		for _, v := range versions {
			entry, err := r.consider(next, old, s, v, again)
			next.index = append(next.index, entry)
			if _, single := s.(*file); single && err != nil && first == nil {
				first = err
			}
		}
	}
	r.current.Store(next)
	r.tell(old, next)
	return first
}

// keep keeps what a source had before that cannot be read now, but what is off; of the model that
// is to be read again the index says why it was not.
func (n *state) keep(old *state, s source, again, problem string) {
	for _, entry := range old.index {
		if !s.has(entry.Name) {
			continue
		}
		m := old.models[entry.Name]
		switch {
		case n.off[entry.Name]:
			entry.State, entry.Reason = oip.NotReady, "unloaded"
		case m != nil:
			n.models[entry.Name] = m
			if again == entry.Name && entry.State == oip.Ready {
				entry.Reason = "what was read before answers: " + problem
			}
		case again == entry.Name || old.off[entry.Name]:
			entry.Reason = problem
		}
		n.index = append(n.index, entry)
	}
}

// consider decides on a version: versions of a model come from the highest down. It returns
// what the index says of it.
func (r *Repository) consider(next, old *state, s source, v version, again string) (oip.ModelIndex, error) {
	entry := oip.ModelIndex{Name: v.name, Version: v.number, State: oip.NotReady}
	was := old.models[v.name]
	switch {
	case next.off[v.name]:
		entry.Reason = "unloaded"
		return entry, nil
	case next.models[v.name] != nil:
		entry.Reason = "a higher version answers"
		if next.models[v.name].Version == v.number {
			entry.Reason = "another model has this name"
		}
		return entry, nil
	case was != nil && was.Version == v.number && was.stamp == v.stamp && again != v.name:
		next.models[v.name] = was
		entry.State = oip.Ready
		return entry, nil
	}
	if reason := old.failed(v); reason != "" && again != v.name {
		next.remember(v, reason)
		return fallBack(next, was, v, reason), nil
	}
	m, err := r.read(s, v)
	if r.options.Read != nil {
		r.options.Read(v.name, err)
	}
	if err != nil {
		reason := plain(err)
		next.remember(v, reason)
		return fallBack(next, was, v, reason), err
	}
	next.models[v.name] = m
	entry.State = oip.Ready
	return entry, nil
}

// fallBack returns the entry of a version that cannot be used. Where the file was written over,
// what was read of it before goes on answering.
func fallBack(next *state, was *Loaded, v version, reason string) oip.ModelIndex {
	entry := oip.ModelIndex{Name: v.name, Version: v.number, State: oip.NotReady, Reason: reason}
	if was != nil && was.Version == v.number {
		next.models[v.name] = was
		entry.State, entry.Reason = oip.Ready, "what was read before answers: "+reason
	}
	return entry
}

// read reads a version and proves it.
func (r *Repository) read(s source, v version) (*Loaded, error) {
	read, err := s.read(v)
	if err != nil {
		return nil, err
	}
	var observer engine.Observer
	if r.options.Observer != nil {
		observer = r.options.Observer(v.name, read)
	}
	m := engine.NewModel(read, observer)
	if err := m.Probe(r.options.Predict); err != nil {
		return nil, &model.FileError{File: v.path, Err: err}
	}
	return &Loaded{m, v.name, v.number, v.stamp}, nil
}

// plain says what is wrong with a file without the path that leads to it.
func plain(err error) string {
	var file *model.FileError
	if errors.As(err, &file) {
		return file.Err.Error()
	}
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// tell tells of what differs.
func (r *Repository) tell(old, next *state) {
	if r.options.Changed == nil {
		return
	}
	for _, entry := range next.index {
		m := next.models[entry.Name]
		reloaded := entry.State == oip.Ready && m != old.models[entry.Name]
		if reloaded || !slices.Contains(old.index, entry) {
			r.options.Changed(entry)
		}
	}
	for _, entry := range old.index {
		if !slices.ContainsFunc(next.index, func(e oip.ModelIndex) bool { return e.Name == entry.Name && e.Version == entry.Version }) {
			r.options.Changed(oip.ModelIndex{Name: entry.Name, Version: entry.Version, State: oip.NotReady, Reason: "the file is gone"})
		}
	}
}

// remember keeps why a version cannot be used, so that it is not read again until it changes.
func (n *state) remember(v version, reason string) {
	if n.bad == nil {
		n.bad = map[string]string{}
	}
	n.bad[fmt.Sprint(v.name, "/", v.number, " ", v.stamp)] = reason
}

func (n *state) failed(v version) string {
	return n.bad[fmt.Sprint(v.name, "/", v.number, " ", v.stamp)]
}
