package model

import (
	"beziergp/box"
	"beziergp/internal/simd"
)

// mapper is a box that maps rows on the workers of a pool.
type mapper struct {
	box     *box.Box
	pool    *simd.Pool
	workers []mapWorker
}

// mapWorker is what a worker of a mapper writes to.
type mapWorker struct {
	columns [][]float64
	outside []int
	failed  bool
}

// mappedAtOnce are the rows that a worker maps at a time.
const mappedAtOnce = 512

func newMapper(b *box.Box, pool *simd.Pool) *mapper {
	m := &mapper{b, pool, make([]mapWorker, pool.Workers())}
	for w := range m.workers {
		m.workers[w].outside = make([]int, len(b.Inputs))
	}
	return m
}

// Map is [box.Box.Map].
func (m *mapper) Map(dst []float32, columns [][]float64, policy box.Policy, inside []bool, outside []int) error {
	n, d := len(inside), len(m.box.Inputs)
	if n <= mappedAtOnce {
		return m.box.Map(dst, columns, policy, inside, outside)
	}
	for w := range m.workers {
		own := &m.workers[w]
		own.columns, own.failed = resize(own.columns, len(columns)), false
		clear(own.outside)
	}
	m.pool.Do((n+mappedAtOnce-1)/mappedAtOnce, func(worker, part int) {
		own := &m.workers[worker]
		from := part * mappedAtOnce
		to := min(from+mappedAtOnce, n)
		for i, column := range columns {
			own.columns[i] = column[from:to]
		}
		own.failed = m.box.Map(dst[from*d:to*d], own.columns, policy, inside[from:to], own.outside) != nil || own.failed
	})
	for w := range m.workers {
		if m.workers[w].failed { // the first fault of all rows is the one to tell of
			return m.box.Map(dst, columns, policy, inside, outside)
		}
	}
	for w := range m.workers {
		for i, beyond := range m.workers[w].outside {
			outside[i] += beyond
		}
	}
	return nil
}
