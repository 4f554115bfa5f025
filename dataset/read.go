package dataset

import (
	"golang.org/x/sync/errgroup"

	"beziergp/box"
	"beziergp/table"
	"beziergp/tablecache"
)

// scratch is what mapping a block needs.
type scratch struct {
	buffer  tablecache.Buffer
	columns [][]float64 // of the box
	nodes   [][]float64 // of those that are categories; nil for the others
	y       []float32
	inside  []bool
	outside []int
}

func (s *Set) newScratch() *scratch {
	n := s.BlockRows()
	w := &scratch{
		columns: make([][]float64, len(s.from)), nodes: make([][]float64, len(s.from)),
		y: make([]float32, n), inside: make([]bool, n), outside: make([]int, len(s.Inputs)),
	}
	for k, codes := range s.codes {
		if codes != nil {
			w.nodes[k] = make([]float64, n)
		}
	}
	return w
}

// pick returns the columns of the box out of those of a block, levels as the box knows
// them.
func (s *Set) pick(block [][]float64, w *scratch) [][]float64 {
	for k, j := range s.from {
		w.columns[k] = block[j]
		if codes := s.codes[k]; codes != nil {
			w.columns[k] = w.nodes[k][:len(block[j])]
			table.Recode(w.columns[k], block[j], codes)
		}
	}
	return w.columns
}

// Blocks returns the number of blocks.
func (s *Set) Blocks() int { return s.rows.Blocks() }

// BlockRows returns the number of rows of a block that is not the last.
func (s *Set) BlockRows() int { return s.rows.BlockRows() }

// TargetColumns returns the number of columns of y: of the targets and, where there is one,
// the offset after them.
func (s *Set) TargetColumns() int {
	if s.Offset != nil {
		return len(s.Targets) + 1
	}
	return len(s.Targets)
}

// Weighted tells whether rows have weights.
func (s *Set) Weighted() bool { return s.weights != nil }

// Block writes the coordinates of a block's rows to x, [rows, d] by rows, their scaled
// targets to y, [rows, TargetColumns] by rows, and, if they have any, their weights, 1 on average, to
// weights, [rows]. It returns the number of rows, which may be less than there is room
// for.
func (s *Set) Block(block int, x, y, weights []float32) (int, error) {
	w, ok := s.unused.Get().(*scratch)
	if !ok {
		w = s.newScratch()
	}
	defer s.unused.Put(w)
	n, err := s.rows.Read(block, &w.buffer)
	if err != nil {
		return 0, err
	}
	columns := w.buffer.Columns
	if err := s.box.Map(x, s.pick(columns, w), box.Clip, w.inside[:n], w.outside); err != nil {
		return 0, err
	}
	stride := s.TargetColumns()
	for k, target := range s.Targets {
		target.Scale(w.y, columns[s.columns.targets[k]][:n])
		for i, v := range w.y[:n] {
			y[i*stride+k] = v
		}
	}
	if s.Offset != nil {
		for i, v := range columns[s.columns.offset][:n] {
			offset, err := s.Offset.Of(v)
			if err != nil {
				return 0, err
			}
			y[i*stride+stride-1] = float32(offset)
		}
	}
	if s.weights != nil {
		s.weigh(columns, weights[:n])
	}
	return n, nil
}

// Load returns all rows as Block gives them; weights are nil where there are none. So
// many workers read blocks at a time.
func (s *Set) Load(workers int) (x, y, weights []float32, err error) {
	d, t := len(s.Inputs), s.TargetColumns()
	x, y = make([]float32, s.Rows*d), make([]float32, s.Rows*t)
	if s.Weighted() {
		weights = make([]float32, s.Rows)
	}
	var work errgroup.Group
	work.SetLimit(workers)
	for i := range s.Blocks() {
		work.Go(func() error {
			from := i * s.BlockRows()
			to := min(from+s.BlockRows(), s.Rows)
			var own []float32
			if weights != nil {
				own = weights[from:to]
			}
			_, err := s.Block(i, x[from*d:to*d], y[from*t:to*t], own)
			return err
		})
	}
	return x, y, weights, work.Wait()
}

// Values returns the rows that memory holds, those of [Set.Sample], as they are in the
// table: the columns of the box of the inputs, [n] each, whose categories have the codes
// that the box knows, and those of the targets.
func (s *Set) Values() (columns, targets [][]float64) {
	all := newMemory(s.rows.Sample()).columns
	for k, j := range s.from {
		values := all[j]
		if codes := s.codes[k]; codes != nil {
			values = make([]float64, len(all[j]))
			table.Recode(values, all[j], codes)
		}
		columns = append(columns, values)
	}
	for _, j := range s.columns.targets {
		targets = append(targets, all[j])
	}
	return columns, targets
}
