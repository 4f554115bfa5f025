package paper

import "encoding/json"

// dealt is what all ranks take of a checkpoint beside their weights and moments.
type dealt struct {
	Steps     int     `json:"steps"`
	Objective float64 `json:"objective"`
	Unsealed  bool    `json:"unsealed"`
}

// deal has every rank take up its part of the checkpoint that rank 0 has read, unless that is nil.
func (l *loop) deal(kept *checkpoint) error {
	var text []byte
	messages := make([][]byte, l.crew.Size())
	if kept != nil {
		// A plain struct of numbers that a file of JSON had does not fail.
		text, _ = json.Marshal(dealt{kept.Steps, kept.Objective, !kept.sealed})
		for r := range messages {
			messages[r] = l.crew.pick(r, kept.params, kept.m, kept.v)
		}
	}
	text, err := l.crew.Broadcast(l.crew.ctx, 0, text)
	if err != nil || len(text) == 0 {
		return err
	}
	own, err := l.crew.scatter(messages)
	if err != nil {
		return err
	}
	var d dealt
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	l.adam.Steps, l.objective, l.resumedAt, l.unsealed = d.Steps, d.Objective, d.Steps, d.Unsealed
	return l.crew.place(l.crew.Rank(), own, l.params, l.adam.M, l.adam.V)
}
