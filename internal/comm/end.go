package comm

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

// Grace is how long a rank that has failed waits for the others, before it ends them.
const Grace = 5 * time.Second

// End ends the ranks together. Each gives the code that its process is to end with, 0 to 255,
// and its last words, which rank 0 has already said. It returns the largest code of all. Rank 0
// says the words of others that it has not said itself. Where a rank has failed and others do
// not come within [Grace], it says its words itself and aborts all.
func End(ranks Comm, code int, words string, say func(words string)) int {
	if ranks.Size() == 1 {
		return code
	}
	if ranks.Rank() == 0 {
		return endOthers(ranks, code, words, say)
	}
	ctx, cancel := patient(code)
	defer cancel()
	err := ranks.Send(ctx, 0, tagWords, append(binary.LittleEndian.AppendUint32(nil, uint32(code)), words...))
	if err == nil {
		var last []byte
		if _, last, err = ranks.Receive(ctx, 0, tagEnd); err == nil {
			code = int(binary.LittleEndian.Uint32(last))
			_ = ranks.Close() // all have what they came for
			return code
		}
	}
	if words != "" {
		say(words)
	}
	ranks.Abort(max(code, 1))
	return max(code, 1)
}

// patient returns a context that lasts, where something has failed, for the time of grace.
func patient(code int) (context.Context, context.CancelFunc) {
	if code == 0 {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), Grace)
}

// endOthers is End on rank 0.
func endOthers(ranks Comm, code int, words string, say func(string)) int {
	said := []string{words}
	ctx, cancel := patient(code)
	defer func() { cancel() }()
	here := []int{}
	for len(here) < ranks.Size()-1 {
		from, message, err := ranks.Receive(ctx, Any, tagWords)
		if err != nil {
			ranks.Abort(max(code, 1))
			return max(code, 1)
		}
		own, words := int(binary.LittleEndian.Uint32(message)), string(message[4:])
		if code == 0 && own != 0 {
			ctx, cancel = patient(own)
		}
		if words != "" && !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, words) || strings.Contains(words, s) && s != "" }) {
			words = remote(from, plain(words)).Error()
			say(words)
			said = append(said, words)
		}
		code, here = max(code, own), append(here, from)
	}
	for _, r := range here {
		if ranks.Send(ctx, r, tagEnd, binary.LittleEndian.AppendUint32(nil, uint32(code))) != nil {
			ranks.Abort(max(code, 1))
			return max(code, 1)
		}
	}
	_ = ranks.Close()
	return code
}

type plain string

func (p plain) Error() string { return string(p) }
