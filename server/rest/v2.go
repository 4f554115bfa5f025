package rest

import (
	"encoding/json"
	"net/http"
	"strconv"

	"beziergp/internal/printable"
	"beziergp/server/infer"
	"beziergp/server/oip"
)

func (h *Handler) live(a *answer, _ *http.Request) error {
	a.json(http.StatusOK, map[string]bool{"live": true})
	return nil
}

func (h *Handler) ready(a *answer, _ *http.Request) error {
	a.json(readiness(h.Ready()), map[string]bool{"ready": h.Ready()})
	return nil
}

func readiness(ready bool) int {
	if ready {
		return http.StatusOK
	}
	return http.StatusServiceUnavailable
}

func (h *Handler) server(a *answer, _ *http.Request) error {
	a.json(http.StatusOK, h.Metadata())
	return nil
}

func (h *Handler) model(a *answer, r *http.Request) error {
	d, err := h.ModelMetadata(r.PathValue("model"), r.PathValue("version"))
	if err != nil {
		return err
	}
	a.json(http.StatusOK, d)
	return nil
}

func (h *Handler) modelReady(a *answer, r *http.Request) error {
	ready, err := h.ModelReady(r.PathValue("model"), r.PathValue("version"))
	if err != nil {
		return err
	}
	a.json(readiness(ready), map[string]any{"name": r.PathValue("model"), "ready": ready})
	return nil
}

// lengthHeader tells where the JSON of a body ends and tensors begin.
const lengthHeader = "Inference-Header-Content-Length"

func (h *Handler) infer(a *answer, r *http.Request) error {
	if err := h.Check(); err != nil {
		return err
	}
	if _, err := h.Repository.Model(r.PathValue("model"), r.PathValue("version")); err != nil {
		return err
	}
	if err := notInQuery(r); err != nil {
		return err
	}
	body, done, err := h.read(r)
	defer done()
	if err != nil {
		return err
	}
	header := len(body)
	if text := r.Header.Get(lengthHeader); text != "" {
		if header, err = strconv.Atoi(text); err != nil {
			return oip.Errorf(oip.Invalid, "%s is %s; give the number of bytes of the JSON", lengthHeader, printable.Quoted(text))
		}
	}
	var in *oip.InferRequest
	err = h.Read(r.Context(), func() (err error) {
		in, err = oip.ParseInferRequest(body, header, h.Elements())
		return err
	})
	if err != nil {
		return err
	}
	out, err := h.Infer(r.Context(), r.PathValue("model"), r.PathValue("version"), in)
	if err != nil {
		return err
	}
	binary, any := binaryOutputs(in, out)
	text := out.AppendJSON(nil, binary)
	if !any {
		a.send(r, "application/json", text)
		return nil
	}
	a.Header().Set(lengthHeader, strconv.Itoa(len(text)))
	a.send(r, "application/octet-stream", out.AppendBinary(text, binary))
	return nil
}

// notInQuery fails where a parameter of the protocol's body stands in the query of the address,
// where nothing would heed it. Others are of gateways on the way.
func notInQuery(r *http.Request) error {
	given := r.URL.Query()
	for _, name := range infer.AskNames() {
		if given.Has(name) {
			return oip.Errorf(oip.Invalid, `parameter %s stands in the query of the address; put it into the body: "parameters": {"%s": …}`, name, name)
		}
	}
	return nil
}

// binaryOutputs tells which outputs are sent behind the JSON: those that a request says so
// of, or where it says so of all.
func binaryOutputs(in *oip.InferRequest, out *oip.InferResponse) (binary []bool, some bool) {
	binary = make([]bool, len(out.Outputs))
	for i, t := range out.Outputs {
		binary[i], _ = in.Parameters["binary_data_output"].(bool)
		for _, asked := range in.Outputs {
			if one, said := asked.Parameters["binary_data"].(bool); said && asked.Name == t.Name {
				binary[i] = one
			}
		}
		some = some || binary[i]
	}
	return binary, some
}

func (h *Handler) index(a *answer, r *http.Request) error {
	body, done, err := h.read(r)
	defer done()
	if err != nil {
		return err
	}
	var ask struct {
		Ready bool `json:"ready"`
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &ask); err != nil {
			return oip.Errorf(oip.Invalid, `the body is none; send {"ready": true} for models that answer, or nothing for all`)
		}
	}
	a.json(http.StatusOK, h.Index(ask.Ready))
	return nil
}

func (h *Handler) load(a *answer, r *http.Request) error {
	return h.repository(a, r, h.Load)
}

func (h *Handler) unload(a *answer, r *http.Request) error {
	return h.repository(a, r, h.Unload)
}

// repository does what takes no more than a model's name; parameters in the body, of other
// servers' kinds of models, are refused.
func (h *Handler) repository(a *answer, r *http.Request, do func(name string) error) error {
	body, done, err := h.read(r)
	defer done()
	if err != nil {
		return err
	}
	var ask struct {
		Parameters map[string]any `json:"parameters"`
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &ask); err != nil {
			return oip.Errorf(oip.Invalid, "the body is no JSON object")
		}
	}
	for name := range ask.Parameters {
		if name != "unload_dependents" { // of which models here have none
			return oip.Errorf(oip.Invalid, "parameter %q is not supported: a model is what its file holds", name)
		}
	}
	if err := do(r.PathValue("model")); err != nil {
		return err
	}
	a.json(http.StatusOK, map[string]string{"name": r.PathValue("model")})
	return nil
}
