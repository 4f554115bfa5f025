package model_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/safetensors"
	"beziergp/internal/testkit"
	"beziergp/model"
)

func saved(t testing.TB, m *model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSaveAndLoad(t *testing.T) {
	m, _ := fixture(t)
	path := filepath.Join(t.TempDir(), "m.bgp")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(predict(t, m, rows(t), model.PredictOptions{}), predict(t, loaded, rows(t), model.PredictOptions{})) {
		t.Error("the loaded model predicts otherwise")
	}
	if !bytes.Equal(saved(t, loaded), saved(t, m)) {
		t.Error("the loaded model is saved otherwise")
	}
	if !reflect.DeepEqual(loaded.Training(), m.Training()) || loaded.Noise() != 1 || loaded.Policy() != box.Clip {
		t.Errorf("training %v, noise %g, policy %v", loaded.Training(), loaded.Noise(), loaded.Policy())
	}
}

// renumber returns a saved model whose list of that name, the first in its head, begins
// with other numbers.
func renumber(t testing.TB, file []byte, list string, numbers ...float64) []byte {
	t.Helper()
	f, err := safetensors.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(f.Metadata["beziergp.model"], `"`+list+`":[`)
	place, _, _ := strings.Cut(rest, "]")
	var at [2]int
	if err := json.Unmarshal([]byte("["+place+"]"), &at); err != nil {
		t.Fatal(err)
	}
	return rewrite(t, file, func(f *safetensors.File) { copy(f.Tensors["numbers"].Wide[at[0]:], numbers) })
}

// rewrite returns a saved model with a change in it.
func rewrite(t testing.TB, file []byte, change func(*safetensors.File)) []byte {
	t.Helper()
	f, err := safetensors.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	change(f)
	var b bytes.Buffer
	if err := safetensors.Write(&b, f.Tensors, f.Metadata); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBadFiles(t *testing.T) {
	m, _ := fixture(t)
	good := saved(t, m)
	nan := rewrite(t, good, func(f *safetensors.File) { f.Tensors["groups.0.mean"].Data[3] = float32(math.NaN()) })
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"empty":             {nil, "not a model"},
		"a table":           {[]byte("a,b,y\n1,2,3\n4,5,6\n"), "not a model"},
		"truncated":         {good[:len(good)-1], "damaged"},
		"another program":   {testkit.EditHeader(good, "beziergp.model", "another.model_"), "not a model of this program"},
		"another version":   {testkit.EditHeader(good, `\"format\":4`, `\"format\":9`), "format 9"},
		"no version":        {testkit.EditHeader(good, `\"format\":4`, `\"fermat\":4`), "format 0"},
		"weight not finite": {nan, "not a finite number"},
		"noise":             {testkit.EditHeader(good, `\"noise\":0.04`, `\"noise\":-1`), "noise"},
		"deviation":         {testkit.EditHeader(good, `\"sd\":5`, `\"sd\":0`), "deviation"},
		"bounds":            {testkit.EditHeader(good, `\"lo\":10`, `\"lo\":50`), "not an interval"},
		"policy":            {testkit.EditHeader(good, `\"clip\"`, `\"clap\"`), "policy"},
		"names":             {testkit.EditHeader(good, `\"name\":\"a\"`, `\"name\":\"b\"`), "b"},
		"no digest":         {testkit.EditHeader(good, `"sha256"`, `"sha-256"`), "has a digest, and this one has none"},
		"format 3":          {testkit.EditHeader(good, `\"format\":4`, `\"format\":3`), "damaged"},
		"twice":             {testkit.EditHeader(good, `\"noise\":0.04`, `\"noise\":0.04,\"Noise\":0.05`), `"noise" stands twice`},
		"huge noise":        {testkit.EditHeader(good, `\"noise\":0.04`, `\"noise\":1e999`), "1e999"},
		"not a number":      {testkit.EditHeader(good, `\"noise\":0.04`, `\"noise\":NaN`), "damaged"},
		"no inputs":         {testkit.EditHeader(good, `\"inputs\":[`, `\"imputs\":[`), "no inputs"},
		"an empty input":    {testkit.EditHeader(good, `\"inputs\":[`, `\"inputs\":[{},`), "no name"},
		"an empty group":    {testkit.EditHeader(good, `\"groups\":[`, `\"groups\":[{},`), "no bases"},
		"no bases":          {testkit.EditHeader(good, `\"bases\":{`, `\"vases\":{`), "not described as format 4"},
		"place below 0":     {testkit.EditHeader(good, `\"order\":[`, `\"order\":[-`), "numbers"},
		"unknown basis":     {testkit.EditHeader(good, `\"bernstein\"`, `\"rhinestein\"`), "unknown"},
		"category":          {testkit.EditHeader(good, `\"bernstein\"`, `\"indicator\"`), "indicator"},
		"tensor name":       {testkit.EditHeader(good, `groups.0.log_variance`, `groups.7.log_variance`), "groups.0.log_variance"},
		"lists of float32":  {testkit.EditHeader(good, `"numbers"`, `"members"`), "numbers"},
		"nodes":             {renumber(t, good, "nodes", 5, 3), "averages"},
		"huge nodes":        {renumber(t, good, "nodes", 4e9, 3), "averages"},
		"nodes below 0":     {renumber(t, good, "nodes", -4, 3), "whole number"},
		"half a node":       {renumber(t, good, "nodes", 3.5, 3.5), "whole number"},
		"averages":          {renumber(t, good, "averages", 2), "from 0 to 1"},
		"NaN averages":      {renumber(t, good, "averages", math.NaN()), "is NaN"},
		"kind":              {renumber(t, good, "kind", 3), "kind 3 of 3"},
		"basis":             {renumber(t, good, "basis_of_input", 2), "basis 2 of 2"},
		"ordering":          {renumber(t, good, "order", 1, 1), "weights"},
		"input":             {renumber(t, good, "order", 2), "no input 2"},
		"input below 0":     {renumber(t, good, "order", -1), "whole number"},
		"missing ordering":  {testkit.EditHeader(good, `,4]}]`, `,2]}]`), "weights"},
		"half an ordering":  {testkit.EditHeader(good, `,4]}]`, `,3]}]`), "numbers for 2 inputs"},
	} {
		_, err := model.Read(bytes.NewReader(c.file))
		var bad *model.FileError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
		path := filepath.Join(t.TempDir(), "bad.bgp")
		if err := os.WriteFile(path, c.file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Load(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v does not name the file", name, err)
		}
	}
	if _, err := model.Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// A model of today's format has a digest, and no damage of its file passes unseen.
func TestNoDamagePasses(t *testing.T) {
	m, _ := fixture(t)
	testkit.NoDamagePasses(t, saved(t, m), func(file []byte) error {
		_, err := model.Read(bytes.NewReader(file))
		return err
	})
}
