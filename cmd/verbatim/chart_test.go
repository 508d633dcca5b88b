package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"go.yaml.in/yaml/v3"
)

const chart = "../../deploy/helm/verbatim"

// renderChart renders the chart with those features of helm that the chart uses, and returns the objects by kind.
func renderChart(t *testing.T, set map[string]any) (map[string]map[string]any, error) {
	t.Helper()
	parse := func(name string, to any) {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(chart, name))
		if err == nil {
			err = yaml.Unmarshal(content, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var about struct{ Name, Version, AppVersion string }
	var values, raw map[string]any
	parse("values.yaml", &values)
	parse("Chart.yaml", &raw)
	about.Name, _ = raw["name"].(string)
	about.AppVersion, _ = raw["appVersion"].(string)
	merge(values, set)
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var s strings.Builder
			err := all.ExecuteTemplate(&s, name, data)
			return s.String(), err
		},
		"nindent": func(n int, s string) string {
			return "\n" + strings.Repeat(" ", n) + strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", n))
		},
		"quote": func(v any) string { return strconv.Quote(fmt.Sprint(v)) },
		"default": func(or, v any) any {
			if v == nil || v == "" {
				return or
			}
			return v
		},
		"required": func(why string, v any) (any, error) {
			if v == nil || v == "" {
				return nil, errors.New(why)
			}
			return v, nil
		},
		"toYaml": func(v any) (string, error) {
			s, err := yaml.Marshal(v)
			return strings.TrimSpace(string(s)), err
		},
		"add": func(numbers ...int) (sum int) {
			for _, n := range numbers {
				sum += n
			}
			return sum
		},
	})
	files, err := fs.Glob(os.DirFS(chart), "templates/*")
	if err != nil || len(files) < 6 {
		t.Fatalf("the chart has %v, %v", files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(chart, file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all.New(filepath.Base(file)).Parse(string(content)); err != nil {
			t.Fatal(err)
		}
	}
	objects := map[string]map[string]any{}
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), "_") {
			continue
		}
		var rendered bytes.Buffer
		if err := all.ExecuteTemplate(&rendered, filepath.Base(file), map[string]any{"Values": values, "Chart": about, "Release": map[string]string{"Name": "talks"}}); err != nil {
			return nil, err
		}
		var object map[string]any
		if err := yaml.Unmarshal(rendered.Bytes(), &object); err != nil {
			t.Fatalf("%s: %v\n%s", file, err, rendered.Bytes())
		}
		if object != nil {
			objects[object["kind"].(string)] = object
		}
	}
	return objects, nil
}

func merge(to, from map[string]any) {
	for key, value := range from {
		inner, deep := value.(map[string]any)
		if has, ok := to[key].(map[string]any); deep && ok {
			merge(has, inner)
			continue
		}
		to[key] = value
	}
}

// at returns a nested value of an object: a string in path is a key, a number an index of a list.
func at(t *testing.T, object any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			object = object.(map[string]any)[p]
		case int:
			object = object.([]any)[p]
		}
		if object == nil {
			t.Fatalf("there is no %v of %v", p, path)
		}
	}
	return object
}

func TestChart(t *testing.T) {
	t.Parallel()
	if _, err := renderChart(t, nil); err == nil || !strings.Contains(err.Error(), "is needed") {
		t.Errorf("the chart takes a missing address: %v", err)
	}
	needed := map[string]any{
		"baseURL": "https://talks.example.org", "database": map[string]any{"url": "postgres://db/v"}, "blobs": map[string]any{"url": "s3://b"}, "existingSecret": "talks",
		"env": map[string]any{"VERBATIM_LLM_MODEL": "small"},
	}
	plain, err := renderChart(t, needed)
	if err != nil {
		t.Fatal(err)
	}
	if len(plain) != 3 || plain["Deployment"] == nil || plain["Service"] == nil || plain["PodDisruptionBudget"] == nil {
		t.Errorf("the chart makes %v", plain)
	}
	full := maps.Clone(needed)
	full["autoscaling"] = map[string]any{"enabled": true, "requestsInFlight": 40}
	full["ingress"] = map[string]any{"enabled": true, "host": "talks.example.org", "className": "nginx", "tlsSecret": "tls", "annotations": map[string]any{"a": "b"}}
	all, err := renderChart(t, full)
	if err != nil || len(all) != 5 {
		t.Fatalf("the chart with all options makes %v, %v", all, err)
	}

	spec := at(t, all["Deployment"], "spec")
	if _, fixed := spec.(map[string]any)["replicas"]; fixed {
		t.Error("the deployment sets replicas, which overrides the autoscaler")
	}
	labels := at(t, spec, "template", "metadata", "labels").(map[string]any)
	for _, selector := range []any{
		at(t, spec, "selector", "matchLabels"), at(t, all["Service"], "spec", "selector"), at(t, all["PodDisruptionBudget"], "spec", "selector", "matchLabels"),
	} {
		for key, value := range selector.(map[string]any) {
			if labels[key] != value {
				t.Errorf("a selector wants %s=%v, the pods have %v", key, value, labels[key])
			}
		}
	}
	pod := at(t, spec, "template", "spec")
	if seconds := at(t, pod, "terminationGracePeriodSeconds"); seconds != 35 {
		t.Errorf("a pod has %v s to stop", seconds)
	}
	container := at(t, pod, "containers", 0)
	for probe, path := range map[string]string{"startupProbe": "/healthz", "readinessProbe": "/readyz", "livenessProbe": "/healthz"} {
		if got := at(t, container, probe, "httpGet", "path"); got != path {
			t.Errorf("the %s asks %v", probe, got)
		}
	}
	variables := map[string]any{}
	for _, v := range at(t, container, "env").([]any) {
		variables[at(t, v, "name").(string)] = v.(map[string]any)["value"]
	}
	if variables["VERBATIM_DRAIN"] != "10s" || variables["VERBATIM_BASE_URL"] != "https://talks.example.org" || variables["VERBATIM_LLM_MODEL"] != "small" {
		t.Errorf("the settings are %v", variables)
	}
	if image := at(t, container, "image"); image != "verbatim:"+number {
		t.Errorf("the chart runs %v, the source is %s", image, number)
	}
	if metric := at(t, all["HorizontalPodAutoscaler"], "spec", "metrics", 1, "pods", "metric", "name"); metric != "verbatim_http_requests_in_flight" {
		t.Errorf("the autoscaler asks for %v", metric)
	}
}
