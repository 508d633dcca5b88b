package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// model returns the parser's model of the commands and flags.
func model(t *testing.T) *kong.Application {
	t.Helper()
	parser, err := kong.New(&cli{}, kong.Name("verbatim"))
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

// flagTable returns the table of serve's flags for docs/self-hosting.md.
func flagTable(t *testing.T) string {
	app := model(t)
	serve := app.Children[slices.IndexFunc(app.Children, func(n *kong.Node) bool { return n.Name == "serve" })]
	var s strings.Builder
	s.WriteString("| flag | variable | default | meaning |\n|---|---|---|---|\n")
	for _, f := range slices.Concat(serve.Flags, app.Flags) {
		if f.Name == "help" || f.Name == "version" {
			continue
		}
		code := func(word string) string {
			if word == "" {
				return ""
			}
			return "`" + word + "`"
		}
		flag := "--" + f.Name
		if !f.IsBool() {
			flag += " " + f.FormatPlaceHolder()
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s |\n", code(flag), code(strings.Join(f.Envs, ", ")), code(f.Default), strings.ReplaceAll(f.Help, "|", "\\|"))
	}
	return s.String()
}

func repository(t *testing.T, name string) string {
	t.Helper()
	read, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(read)
}

// TestFlagsAreDocumented checks that the table of flags in the documentation is up to date.
func TestFlagsAreDocumented(t *testing.T) {
	t.Parallel()
	if want := flagTable(t); !strings.Contains(repository(t, "docs/self-hosting.md"), "\n"+want+"\n") {
		t.Errorf("the table of flags in docs/self-hosting.md must be:\n%s", want)
	}
}

// TestDeployment checks that the files under deploy can be parsed and name only existing settings.
func TestDeployment(t *testing.T) {
	t.Parallel()
	known := []string{
		"VERBATIM_HOST", "VERBATIM_NODES", // used only by the compose files and the proxy
	}
	for _, node := range model(t).Leaves(false) {
		for _, flags := range node.AllFlags(false) {
			for _, f := range flags {
				known = append(known, f.Envs...)
			}
		}
	}
	setting := regexp.MustCompile(`VERBATIM_[A-Z0-9_]+`)
	for _, name := range []string{"compose.yaml", "compose.scale.yaml", "Dockerfile", "verbatim.service", "Caddyfile.scale", "Caddyfile.scale-2.6", "helm/verbatim/values.yaml", "helm/verbatim/templates/deployment.yaml"} {
		content := repository(t, "deploy/"+name)
		for _, word := range setting.FindAllString(content, -1) {
			if !slices.Contains(known, word) {
				t.Errorf("%s: the program knows no %s", name, word)
			}
		}
		if !strings.HasPrefix(name, "compose") {
			continue
		}
		var file struct {
			Services map[string]struct {
				Image    string
				ReadOnly bool `yaml:"read_only"`
				Networks yaml.Node
				CapDrop  []string `yaml:"cap_drop"`
			}
			Networks map[string]any
		}
		if err := yaml.Unmarshal([]byte(content), &file); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		nodes := 0
		for service, s := range file.Services {
			if s.Image == "" || s.Networks.IsZero() {
				t.Errorf("%s: %s has no image or no network", name, service)
			}
			if s.Image == "verbatim" {
				nodes++
				if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) {
					t.Errorf("%s: %s is not confined", name, service)
				}
			}
		}
		if want := map[string]int{"compose.yaml": 1, "compose.scale.yaml": 3}[name]; nodes != want {
			t.Errorf("%s: %d nodes, want %d", name, nodes, want)
		}
	}
}

// TestOnlyTheProxyIsPublished checks that data stores cannot be reached from outside, and that no secret is in an environment variable.
func TestOnlyTheProxyIsPublished(t *testing.T) {
	t.Parallel()
	for name, stores := range map[string][]string{"compose.yaml": nil, "compose.scale.yaml": {"database", "objects"}} {
		var file struct {
			Services map[string]struct {
				Ports, Networks, Secrets []string
				Environment              map[string]string
			}
			Networks map[string]struct{ Internal bool }
			Secrets  map[string]struct{ File string }
		}
		content := repository(t, "deploy/"+name)
		if err := yaml.Unmarshal([]byte(content), &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for service, s := range file.Services {
			if (len(s.Ports) > 0) != (service == "proxy") {
				t.Errorf("%s: %s publishes %v", name, service, s.Ports)
			}
			if slices.Contains(stores, service) != (len(s.Networks) == 1 && file.Networks[s.Networks[0]].Internal) {
				t.Errorf("%s: %s is in the networks %v", name, service, s.Networks)
			}
			for variable, value := range s.Environment {
				secret := regexp.MustCompile(`PASSWORD|SECRET|KEY`).MatchString(variable)
				if path, inFile := strings.CutPrefix(value, "/run/secrets/"); secret && (!inFile || !strings.HasSuffix(variable, "_FILE") || file.Secrets[path].File == "" || !slices.Contains(s.Secrets, path)) {
					t.Errorf("%s: %s has the secret %s in its environment, or no such file", name, service, variable)
				}
			}
		}
		for _, store := range stores {
			if _, there := file.Services[store]; !there {
				t.Errorf("%s has no %s", name, store)
			}
		}
	}
	if proxy := repository(t, "deploy/Caddyfile.scale"); strings.Contains(proxy, "objects") || strings.Contains(proxy, "database") {
		t.Error("the proxy leads to where data is kept")
	}
}

// TestImageHasTheBuildersVersions checks that the image is built with the toolchain of go.mod.
func TestImageHasTheBuildersVersions(t *testing.T) {
	t.Parallel()
	asked := regexp.MustCompile(`(?m)^toolchain go(1\.\d+\.\d+)$`).FindStringSubmatch(repository(t, "go.mod"))
	image := regexp.MustCompile(`(?m)^FROM golang:(1\.\d+\.\d+)-`).FindStringSubmatch(repository(t, "deploy/Dockerfile"))
	if asked == nil || image == nil || asked[1] != image[1] {
		t.Errorf("go.mod asks for %q, the image is built with %q", asked, image)
	}
}
