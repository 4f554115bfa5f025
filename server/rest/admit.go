package rest

import (
	"net/http"
	"strings"

	"beziergp/server/guard"
	"beziergp/server/oip"
)

// admit fails unless a caller may do what takes a grade of access.
func (h *Handler) admit(a *answer, r *http.Request, needed guard.Access) error {
	if h.options.Local && !guard.LocalHost(r.Host) {
		return oip.Errorf(oip.Forbidden, "this server answers this machine alone, as localhost or 127.0.0.1")
	}
	if needed == guard.None {
		return nil
	}
	return Admit(h.options.Tokens, r.Header.Get("Authorization"), needed)
}

// Admit fails with an [oip.Error] unless an authorization gives the access that is needed.
func Admit(t *guard.Tokens, authorization string, needed guard.Access) error {
	switch have := t.Access(authorization); {
	case have >= needed:
		return nil
	case have == guard.None:
		return oip.Errorf(oip.Unauthenticated, "show a token: Authorization: Bearer TOKEN")
	}
	return oip.Errorf(oip.Forbidden, "loading and unloading takes the token of an administrator")
}

// elsewhere answers what no route does.
func (h *Handler) elsewhere(a *answer, r *http.Request) {
	if err := h.admit(a, r, guard.Predict); err != nil {
		a.fail(err)
		return
	}
	var methods []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := h.mux.Handler(other); pattern != "/" && pattern != "" {
			methods = append(methods, method)
		}
	}
	if methods != nil {
		a.Header().Set("Allow", strings.Join(methods, ", "))
		a.json(http.StatusMethodNotAllowed, map[string]string{"error": "this address takes " + strings.Join(methods, " and ")})
		return
	}
	a.fail(oip.Errorf(oip.NotFound, "there is nothing at this address; /openapi.json tells what there is"))
}
