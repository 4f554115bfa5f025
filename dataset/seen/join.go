package seen

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Bytes returns what was taken, for [Recorder.Join].
func (r *Recorder) Bytes() []byte {
	r.merge()
	message := binary.LittleEndian.AppendUint64(nil, uint64(r.rows))
	for _, sum := range r.kept {
		message = binary.LittleEndian.AppendUint64(message, sum)
		message = binary.LittleEndian.AppendUint64(message, uint64(max(1, r.times[sum])))
	}
	return message
}

// Join takes what another recorder has of other rows, as if it had been added here. The smallest
// hashes of all are among the smallest of each, with all of their repeats.
func (r *Recorder) Join(message []byte) error {
	const word = 8
	if len(message)%(2*word) != word {
		return errors.New("the hashes of rows are cut short")
	}
	r.merge()
	r.rows += int(binary.LittleEndian.Uint64(message))
	for message = message[word:]; len(message) > 0; message = message[2*word:] {
		sum, times := binary.LittleEndian.Uint64(message), int(binary.LittleEndian.Uint64(message[word:]))
		if _, known := slices.BinarySearch(r.kept, sum); known {
			times += max(1, r.times[sum])
		} else {
			r.pending = append(r.pending, sum) // once, as it is among those kept
		}
		if times > 1 {
			r.times[sum] = times
		}
	}
	// merge takes a pending hash for one more row, which times has counted.
	r.kept = append(r.kept, r.pending...)
	r.pending = r.pending[:0]
	slices.Sort(r.kept)
	for _, sum := range r.kept[min(Most, len(r.kept)):] {
		delete(r.times, sum)
	}
	r.kept = slices.Clone(r.kept[:min(Most, len(r.kept))])
	return nil
}
