package model

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"beziergp/internal/safetensors"
)

// bundleFile returns the file of a bundle of two models that share most tensors.
func bundleFile(t *testing.T) *safetensors.File {
	t.Helper()
	one, err := Load("testdata/format4.bgp")
	if err != nil {
		t.Fatal(err)
	}
	other := *one
	other.outputs = append([]Output(nil), one.outputs...)
	other.outputs[0].Target.Name = "another"
	if _, err := NewBundle(one, one); err == nil {
		t.Error("two models of one target are a bundle")
	}
	b, err := NewBundle(one, &other)
	if err != nil {
		t.Fatal(err)
	}
	var first, again, single bytes.Buffer
	if err := b.Write(&first); err != nil {
		t.Fatal(err)
	}
	read, err := ReadBundle(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Write(&again); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Errorf("written again a bundle has other bytes, error %v", err)
	}
	if err := one.Write(&single); err != nil || first.Len() > 3*single.Len()/2 {
		t.Errorf("two models that share their tensors take %d bytes, one %d", first.Len(), single.Len())
	}
	if _, err := Read(bytes.NewReader(first.Bytes())); err == nil || !strings.Contains(err.Error(), "another") {
		t.Errorf("read as one model: %v", err)
	}
	f, err := safetensors.Read(&first)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A bundle whose parts do not go together is an error, and no panic.
func TestBundleFilesThatAreDamaged(t *testing.T) {
	f := bundleFile(t)
	var whole bundleHead
	if err := json.Unmarshal([]byte(f.Metadata[bundleKey]), &whole); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(h *bundleHead, tensors map[string]safetensors.Tensor){
		"format":         func(h *bundleHead, _ map[string]safetensors.Tensor) { h.Format = 99 },
		"one output":     func(h *bundleHead, _ map[string]safetensors.Tensor) { h.Outputs, h.Same = h.Outputs[:1], h.Same[:1] },
		"other lengths":  func(h *bundleHead, _ map[string]safetensors.Tensor) { h.Same = h.Same[:1] },
		"no head":        func(h *bundleHead, _ map[string]safetensors.Tensor) { h.Outputs[1] = json.RawMessage(`{}`) },
		"twice":          func(h *bundleHead, _ map[string]safetensors.Tensor) { h.Outputs[1] = h.Outputs[0] },
		"unknown tensor": func(h *bundleHead, _ map[string]safetensors.Tensor) { h.Same[1] = append(h.Same[1], "nosuch") },
		"lacks a tensor": func(h *bundleHead, _ map[string]safetensors.Tensor) { h.Same[1] = h.Same[1][1:] },
		"further tensor": func(_ *bundleHead, all map[string]safetensors.Tensor) {
			all["7/x"] = safetensors.Tensor{Shape: []int{1}, Data: []float32{0}}
		},
	} {
		h, own := bundleHead{whole.Format, append([]json.RawMessage(nil), whole.Outputs...), [][]string{whole.Same[0], append([]string(nil), whole.Same[1]...)}}, map[string]safetensors.Tensor{}
		for k, v := range f.Tensors {
			own[k] = v
		}
		damage(&h, own)
		text, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := DecodeBundle(&safetensors.File{Tensors: own, Metadata: map[string]string{bundleKey: string(text)}, Sealed: true}); err == nil {
			t.Errorf("%s: %v", name, b.Targets())
		}
	}
}
