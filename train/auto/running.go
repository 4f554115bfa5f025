package auto

import "sync"

// running is the score of the members that are done.
type running struct {
	mu       sync.Mutex // locked while a member is scored
	ensemble *ensemble
	members  float64 // that were averaged
}

// add tells the errors of a member at the rows held out, and those of all members until now
// at theirs, this one among them if it counts.
func (r *running) add(w worker, m *outOfFold, held []int, counts bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if counts {
		r.ensemble.add(m, held)
		r.tell(w)
	}
	r.tellMember(w, m, held)
}

// average tells the errors of a member at the rows held out, which are the same for all
// members, and those of the average of the members until now.
func (r *running) average(w worker, m *outOfFold, held []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members++
	t := r.ensemble.data.latents()
	for i, j := range held {
		for k := range t {
			own := &r.ensemble.outOfFold[j*t+k]
			*own += (m.held[i*t+k] - *own) / r.members
		}
	}
	r.ensemble.folds = [][]int{held}
	r.tell(w)
	r.tellMember(w, m, held)
}

func (r *running) tell(w worker) {
	rows := r.ensemble.rows()
	w.progress.scored(r.ensemble.data.score(len(rows), r.ensemble.meanDeviance(rows)))
}

func (r *running) tellMember(w worker, m *outOfFold, held []int) {
	own := newEnsemble(r.ensemble.data)
	own.add(m, held)
	w.fit.heldOut(own.meanDeviance(held) / own.data.perRow())
}
