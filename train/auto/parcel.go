package auto

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"

	"beziergp/internal/comm"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// parcel is a fit of type T that goes to other ranks: a member and what it says of rows.
type parcel[T any] interface {
	*T
	// parts returns where they lie.
	parts() (*member, []*[]float64)
}

// packed describes a parcel on its way, of which all ranks have the same bits: the weights and
// the values follow it, as they lie in memory.
type packed struct {
	Steps    int           `json:"steps"`            // taken
	None     bool          `json:"none,omitempty"`   // there is no fit
	Groups   []packedGroup `json:"groups,omitempty"` // none where there is no member
	Streamed int           `json:"streamed,omitempty"`
	Params   int           `json:"params"`
	Values   []int         `json:"values"` // how many
}

type packedGroup struct {
	Part      surface.Part `json:"part"`
	Bases     []basis.Spec `json:"bases"`
	Orderings [][]int      `json:"orderings"`
	Outputs   int          `json:"outputs"`
}

// pack returns a fit, which may be nil, and the steps that it took.
func pack[T any, F parcel[T]](fit *T, steps int) ([]byte, error) {
	if fit == nil {
		return json.Marshal(packed{Steps: steps, None: true})
	}
	m, values := F(fit).parts()
	head := packed{Steps: steps, Streamed: m.streamed, Params: len(m.params)}
	for _, v := range values {
		head.Values = append(head.Values, len(*v))
	}
	if m.surface != nil {
		for g := range m.surface.Groups() {
			group := m.surface.Group(g)
			own := packedGroup{Part: group.Part, Orderings: group.Ensemble.Orderings(), Outputs: group.Ensemble.Outputs()}
			for _, b := range group.Bases {
				own.Bases = append(own.Bases, b.Spec())
			}
			head.Groups = append(head.Groups, own)
		}
	}
	message, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	message, err = binary.Append(message, binary.LittleEndian, m.params)
	for _, v := range values {
		if err == nil {
			message, err = binary.Append(message, binary.LittleEndian, *v)
		}
	}
	return message, err
}

// unpack returns the fit that was packed, and its steps.
func unpack[T any, F parcel[T]](message []byte) (fit *T, steps int, err error) {
	var head packed
	text := json.NewDecoder(bytes.NewReader(message))
	if err := text.Decode(&head); err != nil || head.None {
		return nil, head.Steps, err
	}
	bits := message[text.InputOffset():]
	fit = new(T)
	m, values := F(fit).parts()
	m.streamed, m.params = head.Streamed, make([]float32, head.Params)
	n, err := binary.Decode(bits, binary.LittleEndian, m.params)
	for i, count := range head.Values {
		if bits = bits[n:]; err == nil && count > 0 { // nil stays nil
			*values[i] = make([]float64, count)
			n, err = binary.Decode(bits, binary.LittleEndian, *values[i])
		} else {
			n = 0
		}
	}
	if err == nil && head.Groups != nil {
		m.surface, err = unpackSurface(head.Groups)
	}
	return fit, head.Steps, err
}

func unpackSurface(packed []packedGroup) (*surface.Surface, error) {
	var groups []surface.Group
	for _, p := range packed {
		own := surface.Group{Part: p.Part}
		widths := make([]int, len(p.Bases))
		for i, spec := range p.Bases {
			b, err := basis.New(spec)
			if err != nil {
				return nil, err
			}
			own.Bases, widths[i] = append(own.Bases, b), b.Nodes()
		}
		var err error
		if own.Ensemble, err = buttress.NewOutputs(widths, surface.Supports(own.Bases), p.Orderings, p.Outputs); err != nil {
			return nil, err
		}
		groups = append(groups, own)
	}
	return surface.New(groups...)
}

// handOut does tasks on all ranks, and every rank takes every fit.
func handOut[T any, F parcel[T]](ctx context.Context, w worker, tasks []task, do func(ctx context.Context, w worker, i int) (*T, error), take func(w worker, i int, fit *T)) error {
	atOnce := max(1, min(w.pool.Workers(), (len(tasks)+w.ranks.Size()-1)/w.ranks.Size()))
	type ownFit struct {
		fit      *T
		progress *fitProgress
	}
	own := make([]*ownFit, len(tasks)) // nil for those of other ranks
	return comm.HandOut(ctx, w.ranks, comm.Jobs{
		Count: len(tasks), AtOnce: atOnce,
		Do: func(ctx context.Context, i int) ([]byte, error) {
			w := worker{pool: simd.NewPool(w.pool.Workers() / atOnce), progress: w.progress, ranks: w.ranks, fit: w.progress.begin(i, tasks[i])}
			defer w.pool.Close()
			fit, err := do(ctx, w, i)
			if err != nil {
				return nil, err
			}
			own[i] = &ownFit{fit, w.fit}
			return pack[T, F](fit, w.fit.own)
		},
		Done: func(i int, message []byte) error {
			done, w := own[i], w
			if done == nil {
				fit, steps, err := unpack[T, F](message)
				if err != nil {
					return err
				}
				done = &ownFit{fit, w.progress.begin(i, tasks[i])}
				done.progress.elsewhere(steps)
			}
			w.fit = done.progress
			defer w.fit.end()
			take(w, i, done.fit)
			return nil
		},
	})
}

// agreed returns on every rank what rank 0 has.
func (w worker) agreed(ctx context.Context, v float64) (float64, error) {
	bits, err := comm.OrAlone(w.ranks).Broadcast(ctx, 0, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	if err != nil {
		return 0, err
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(bits)), nil
}
