package lattice

// vertices numbers the vertices of a lattice in the order in which they come. A key is
// the first d of a vertex's d + 1 coordinates.
type vertices struct {
	d      int
	keys   []int32  // [vertices, d]
	hashes []uint64 // [vertices]
	table  []int32  // number + 1, or 0, by open addressing
	factor []uint64 // of the coordinates in a hash [d+1], the last 0
	sum    uint64   // of factor
}

func newVertices(d int) *vertices {
	v := &vertices{d: d, table: make([]int32, 1<<10), factor: make([]uint64, d+1)}
	// Any odd numbers without a pattern do.
	state := uint64(0x9E3779B97F4A7C15)
	for i := range d {
		state = (state ^ state>>29) * 0xBF58476D1CE4E5B9
		v.factor[i] = state | 1
		v.sum += v.factor[i]
	}
	return v
}

func (v *vertices) len() int { return len(v.hashes) }

// hash is linear in the coordinates, so that that of a neighbour is a sum away.
func (v *vertices) hash(base []int32) (h uint64) {
	for t, f := range v.factor {
		h += uint64(int64(base[t])) * f
	}
	return h
}

// slot is where the search for a hash begins.
func (v *vertices) slot(h uint64) int {
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return int((h ^ h>>29) & uint64(len(v.table)-1))
}

// find returns the number of the vertex of a key, or −1.
func (v *vertices) find(key []int32, h uint64) int32 {
	for at := v.slot(h); ; at = (at + 1) & (len(v.table) - 1) {
		i := v.table[at] - 1
		if i < 0 {
			return -1
		}
		if v.hashes[i] == h && equal(v.keys[int(i)*v.d:], key[:v.d]) {
			return i
		}
	}
}

// add returns the number of the vertex of a key, which it gets if it has none.
func (v *vertices) add(key []int32, h uint64) int32 {
	if i := v.find(key, h); i >= 0 {
		return i
	}
	if 2*(v.len()+1) > len(v.table) {
		v.table = make([]int32, 2*len(v.table))
		for i, h := range v.hashes {
			v.put(int32(i), h)
		}
	}
	i := int32(v.len())
	v.keys = append(v.keys, key[:v.d]...)
	v.hashes = append(v.hashes, h)
	v.put(i, h)
	return i
}

func (v *vertices) put(i int32, h uint64) {
	at := v.slot(h)
	for v.table[at] != 0 {
		at = (at + 1) & (len(v.table) - 1)
	}
	v.table[at] = i + 1
}

func equal(a, b []int32) bool {
	for t, x := range b {
		if a[t] != x {
			return false
		}
	}
	return true
}

// corners calls visit with the key and the hash of every vertex of a place. The key
// [d+1] is the caller's memory.
func (v *vertices) corners(p place, key []int32, visit func(k int, h uint64)) {
	side := int32(v.d + 1)
	copy(key, p.base)
	h := v.hash(p.base)
	by := make([]int16, side) // the coordinate of a rank
	for t, r := range p.rank {
		by[r] = int16(t)
	}
	visit(0, h)
	for k := int32(1); k < side; k++ {
		for t := range key {
			key[t]++
		}
		t := by[side-k]
		key[t] -= side
		h += v.sum - uint64(side)*v.factor[t]
		visit(int(k), h)
	}
}

// step moves a key one step along direction j, forward or back, and returns its hash.
func (v *vertices) step(key []int32, h uint64, j int, forward bool) uint64 {
	side := int32(v.d + 1)
	if forward {
		for t := range key {
			key[t]++
		}
		key[j] -= side
		return h + v.sum - uint64(side)*v.factor[j]
	}
	for t := range key {
		key[t]--
	}
	key[j] += side
	return h - v.sum + uint64(side)*v.factor[j]
}
