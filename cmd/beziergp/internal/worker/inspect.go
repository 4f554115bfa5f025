//go:build !lean && !wasm

package worker

import "beziergp/cmd/beziergp/internal/inspect"

// inspectModel tells what the verb inspect tells.
func inspectModel(r *request) (any, []byte, error) {
	var o struct {
		Model string `json:"model"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	m, err := r.model(o.Model)
	if err != nil {
		return nil, nil, err
	}
	return inspect.Describe(m, "", 0), nil, nil
}
