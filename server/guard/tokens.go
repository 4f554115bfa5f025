// Package guard is who may talk to a server: tokens, and certificates.
package guard

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"os"
	"strings"
)

// Tokens are what callers show. Without any, every caller may predict and nobody may load.
type Tokens struct {
	predict, admin []digest
}

// digest is the hash of a token: comparing hashes takes as long whatever their bytes, and
// whatever the length of what a caller shows.
type digest [sha256.Size]byte

// NewTokens returns those of two texts, a token a line, either of which may be empty: tokens
// of the second may load and unload models, too.
func NewTokens(predict, admin string) (*Tokens, error) {
	return newTokens([2]string{predict, admin}, [2]string{"tokens", "tokens of administrators"})
}

// newTokens returns the tokens of texts, of which errors say where they come from.
func newTokens(texts, from [2]string) (*Tokens, error) {
	t := &Tokens{}
	for i, to := range []*[]digest{&t.predict, &t.admin} {
		number := 0
		for line := range strings.Lines(texts[i]) {
			number++
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			if len(line) < 16 || strings.ContainsAny(line, " \t") {
				return nil, fmt.Errorf("%s: line %d: a token has 16 characters or more and no blanks; make one by: openssl rand -hex 32", from[i], number)
			}
			*to = append(*to, sha256.Sum256([]byte(line)))
		}
	}
	return t, nil
}

// ReadTokens returns the tokens in two files, either of which may have no name. A file without
// a token is an error: it would let everybody in.
func ReadTokens(predict, admin string) (*Tokens, error) {
	var texts [2]string
	for i, name := range []string{predict, admin} {
		if name == "" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(text)) == 0 {
			return nil, fmt.Errorf("%s has no token; write one into it", name)
		}
		texts[i] = string(text)
	}
	return newTokens(texts, [2]string{predict, admin})
}

// Needed tells whether a caller must show a token to predict.
func (t *Tokens) Needed() bool { return len(t.predict)+len(t.admin) > 0 }

// HasAdmin tells whether there is a token that may load models.
func (t *Tokens) HasAdmin() bool { return len(t.admin) > 0 }

// Access is what a caller may do.
type Access int

// The grades of access, each with all before.
const (
	None Access = iota
	Predict
	Admin
)

// Access returns what the value of an Authorization header gives access to. All tokens are
// compared, so that the time tells nothing.
func (t *Tokens) Access(authorization string) Access {
	scheme, token, _ := strings.Cut(authorization, " ")
	shown := digest(sha256.Sum256([]byte(strings.TrimSpace(token))))
	access := None
	if !t.Needed() {
		access = Predict
	}
	if !strings.EqualFold(scheme, "Bearer") {
		return access
	}
	for _, known := range t.predict {
		if subtle.ConstantTimeCompare(known[:], shown[:]) == 1 {
			access = max(access, Predict)
		}
	}
	for _, known := range t.admin {
		if subtle.ConstantTimeCompare(known[:], shown[:]) == 1 {
			access = Admin
		}
	}
	return access
}
