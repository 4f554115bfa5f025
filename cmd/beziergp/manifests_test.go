package main_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v2"

	"beziergp/cmd/beziergp/internal/cli"
)

// documents returns what stands in the manifests, by kind.
func documents(t *testing.T) (all []map[string]any) {
	t.Helper()
	files, err := filepath.Glob("deploy/*.yaml")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for d := yaml.NewDecoder(f); ; {
			d.SetStrict(true) // no key stands twice
			var value any
			if err := d.Decode(&value); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(file, err)
			}
			all = append(all, plain(value).(map[string]any))
		}
	}
	return all
}

// Manifests are of the schemas of Kubernetes and KServe.
func TestManifestsAreOfTheirSchemas(t *testing.T) {
	known := schemas(t)
	met := map[string]bool{}
	for _, d := range documents(t) {
		kind := fmt.Sprint(d["apiVersion"], " ", d["kind"])
		if met[kind] = true; known[kind] == nil {
			t.Errorf("there is no schema of %s", kind)
			continue
		}
		for _, wrong := range known[kind].check(fmt.Sprint(d["kind"]), d) {
			t.Error(wrong)
		}
	}
	for _, kind := range []string{"apps/v1 Deployment", "v1 Service", "serving.kserve.io/v1alpha1 ClusterServingRuntime", "serving.kserve.io/v1beta1 InferenceService"} {
		if !met[kind] {
			t.Errorf("there is no %s", kind)
		}
	}
}

// inside returns what stands at a path of names and indices.
func inside(value any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := value.(map[string]any)
			value = m[p]
		case int:
			value = value.([]any)[p]
		}
	}
	return value
}

// The schemas find what is wrong: a name, a type, a choice, what is missing.
func TestSchemasFindWhatIsWrong(t *testing.T) {
	known := schemas(t)
	for want, spoil := range map[string]struct {
		kind  string
		spoil func(d map[string]any)
	}{
		"readynessProbe is unknown": {"Deployment", func(d map[string]any) {
			inside(d, "spec", "template", "spec", "containers", 0).(map[string]any)["readynessProbe"] = map[string]any{}
		}},
		"replicas: two is no integer": {"Deployment", func(d map[string]any) { d["spec"].(map[string]any)["replicas"] = "two" }},
		"selector is missing":         {"Deployment", func(d map[string]any) { delete(d["spec"].(map[string]any), "selector") }},
		"port is missing": {"Service", func(d map[string]any) {
			delete(inside(d, "spec", "ports", 0).(map[string]any), "port")
		}},
		"modelFormats is unknown": {"InferenceService", func(d map[string]any) {
			inside(d, "spec", "predictor", "model").(map[string]any)["modelFormats"] = "beziergp"
		}},
		"name is missing": {"InferenceService", func(d map[string]any) {
			delete(inside(d, "spec", "predictor", "model", "modelFormat").(map[string]any), "name")
		}},
		"containers is missing": {"ClusterServingRuntime", func(d map[string]any) { delete(d["spec"].(map[string]any), "containers") }},
	} {
		for _, d := range documents(t) {
			if d["kind"] != spoil.kind {
				continue
			}
			spoil.spoil(d)
			wrong := known[fmt.Sprint(d["apiVersion"], " ", d["kind"])].check("", d)
			if len(wrong) != 1 || !strings.Contains(wrong[0], want) {
				t.Errorf("want %q: %q", want, wrong)
			}
		}
	}
}

// What manifests start is a verb that there is, with flags that it has, and probes ask where it
// listens.
func TestManifestsFitTheProgram(t *testing.T) {
	serve, _, err := cli.Commands().Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, d := range documents(t) {
		container, _ := inside(d, "spec", "template", "spec", "containers").([]any)
		if d["kind"] == "ClusterServingRuntime" {
			container = inside(d, "spec", "containers").([]any)
		}
		if container == nil {
			continue
		}
		found++
		var args []string
		for _, a := range inside(container, 0, "args").([]any) {
			args = append(args, a.(string))
		}
		if args[0] != "serve" || serve.ParseFlags(args[1:]) != nil {
			t.Errorf("%v: %v", d["kind"], serve.ParseFlags(args[1:]))
		}
		open := map[any]bool{}
		for _, p := range inside(container, 0, "ports").([]any) {
			open[inside(p, "name")], open[inside(p, "containerPort")] = true, true
			if !strings.Contains(strings.Join(args, " "), fmt.Sprintf("=:%v", inside(p, "containerPort"))) {
				t.Errorf("%v: nothing listens at %v", d["kind"], p)
			}
		}
		for probe, path := range map[string]string{"readinessProbe": "/v2/health/ready", "livenessProbe": "/v2/health/live"} {
			if get := inside(container, 0, probe, "httpGet"); inside(get, "path") != path || !open[inside(get, "port")] {
				t.Errorf("%v: %s asks %v", d["kind"], probe, get)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d containers", found)
	}
}
