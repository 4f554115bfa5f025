package rest

import (
	"crypto/sha256"
	_ "embed" // the page and the description of the interface
	"encoding/base64"
	"net/http"
	"regexp"
)

//go:embed page.html
var pageText []byte

//go:embed openapi.json
var openAPIText []byte

var inline = regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`)

// policy is what the page may do: run its own script, known by its hash, and ask this server.
var policy = func() string {
	hashes := map[string]string{}
	for _, m := range inline.FindAllSubmatch(pageText, -1) {
		sum := sha256.Sum256(m[2])
		hashes[string(m[1])] = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; script-src " + hashes["script"] + "; style-src " + hashes["style"] +
		"; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

func (h *Handler) page(a *answer, _ *http.Request) error {
	a.Header().Set("Content-Security-Policy", policy)
	a.Header().Set("Referrer-Policy", "no-referrer")
	a.body(http.StatusOK, "text/html; charset=utf-8", pageText)
	return nil
}

func (h *Handler) openAPI(a *answer, _ *http.Request) error {
	a.body(http.StatusOK, "application/json", openAPIText)
	return nil
}
