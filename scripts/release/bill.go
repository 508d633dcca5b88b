package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// part is a work of others within a release.
type part struct {
	name, version, purl string
	sum                 string // Go's own checksum of a module; empty for npm packages
	sha512              string // of an npm package, in hexadecimal
	licence             string // SPDX identifier, if the package names one
	dir                 string // folder of its files
}

// components returns the Go modules of a program and the npm packages that its web pages may contain, in order.
func (r *release) components(ctx context.Context, built *buildinfo.BuildInfo) ([]part, error) {
	var all []part
	for _, m := range built.Deps {
		m = actual(m)
		dir, err := moduleDir(ctx, r.Root, m)
		if err != nil {
			return nil, err
		}
		all = append(all, part{name: m.Path, version: m.Version, purl: "pkg:golang/" + m.Path + "@" + m.Version, sum: m.Sum, dir: dir})
	}
	all = append(all, part{
		name: "std", version: strings.TrimPrefix(built.GoVersion, "go"), purl: "pkg:golang/std@" + strings.TrimPrefix(built.GoVersion, "go"),
		licence: "BSD-3-Clause", dir: goroot(ctx),
	})
	pages, err := packages(filepath.Join(r.Root, "web"))
	if err != nil {
		return nil, err
	}
	all = append(all, pages...)
	slices.SortFunc(all, func(a, b part) int { return strings.Compare(a.purl, b.purl) })
	return all, nil
}

// actual returns a module's replacement, or the module itself.
func actual(m *debug.Module) *debug.Module {
	if m.Replace != nil {
		return m.Replace
	}
	return m
}

func moduleDir(ctx context.Context, root string, m *debug.Module) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", m.Path+"@"+m.Version)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w", m.Path, err)
	}
	var found struct{ Dir string }
	return found.Dir, json.Unmarshal(out, &found)
}

func goroot(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// packages returns the npm packages of the lock file that are not tools. The lock file does not say which of them the bundler used.
func packages(web string) ([]part, error) {
	read, err := os.ReadFile(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, Integrity, License string
			Dev, Optional               bool
		}
	}
	if err := json.Unmarshal(read, &lock); err != nil {
		return nil, err
	}
	var all []part
	for place, p := range lock.Packages {
		_, name, ok := strings.Cut(place, "node_modules/")
		if !ok || p.Dev {
			continue
		}
		if i := strings.LastIndex(name, "node_modules/"); i >= 0 {
			name = name[i+len("node_modules/"):]
		}
		found := part{name: name, version: p.Version, purl: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version, licence: p.License, dir: filepath.Join(web, filepath.FromSlash(place))}
		if sum, ok := strings.CutPrefix(p.Integrity, "sha512-"); ok {
			raw, err := base64.StdEncoding.DecodeString(sum)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", place, err)
			}
			found.sha512 = hex.EncodeToString(raw)
		}
		all = append(all, found)
	}
	return all, nil
}

// The parts of a bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/) that this one has.
type (
	bill struct {
		Format       string          `json:"bomFormat"`
		Spec         string          `json:"specVersion"`
		Serial       string          `json:"serialNumber"`
		Version      int             `json:"version"`
		Metadata     billMetadata    `json:"metadata"`
		Components   []billComponent `json:"components"`
		Dependencies []billUse       `json:"dependencies"`
	}
	billMetadata struct {
		Timestamp string        `json:"timestamp"`
		Component billComponent `json:"component"`
	}
	billComponent struct {
		Type       string         `json:"type"`
		Ref        string         `json:"bom-ref"`
		Name       string         `json:"name"`
		Version    string         `json:"version"`
		Hashes     []billHash     `json:"hashes,omitempty"`
		Licences   []billLicence  `json:"licenses,omitempty"`
		Purl       string         `json:"purl,omitempty"`
		Properties []billProperty `json:"properties,omitempty"`
	}
	billHash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	billLicence struct {
		Licence struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	billProperty struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	billUse struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// bill returns the bill of materials of a program.
func (r *release) bill(name string, program []byte, built *buildinfo.BuildInfo, parts []part) ([]byte, error) {
	sum := sha256.Sum256(program)
	itself := billComponent{
		Type: "application", Ref: "pkg:generic/verbatim@" + r.Version, Name: "verbatim", Version: r.Version,
		Hashes: []billHash{{"SHA-256", hex.EncodeToString(sum[:])}}, Licences: licensed("Apache-2.0"), Purl: "pkg:generic/verbatim@" + r.Version,
		Properties: []billProperty{{"verbatim:archive", name}, {"verbatim:commit", r.Commit}, {"verbatim:go", built.GoVersion}},
	}
	b := bill{
		Format: "CycloneDX", Spec: "1.6", Serial: uuid.NewSHA1(uuid.NameSpaceURL, append([]byte(name), sum[:]...)).URN(), Version: 1,
		Metadata: billMetadata{r.At.Format(time.RFC3339), itself},
	}
	uses := billUse{Ref: itself.Ref}
	for _, p := range parts {
		c := billComponent{Type: "library", Ref: p.purl, Name: p.name, Version: p.version, Purl: p.purl, Licences: licensed(p.licence)}
		if p.sha512 != "" {
			c.Hashes = []billHash{{"SHA-512", p.sha512}}
		}
		if p.sum != "" {
			c.Properties = []billProperty{{"verbatim:go-sum", p.sum}}
		}
		b.Components = append(b.Components, c)
		uses.DependsOn = append(uses.DependsOn, p.purl)
	}
	b.Dependencies = []billUse{uses}
	var encoded bytes.Buffer
	e := json.NewEncoder(&encoded)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(b)
	return encoded.Bytes(), err
}

func licensed(id string) []billLicence {
	if id == "" {
		return nil
	}
	var l billLicence
	l.Licence.ID = id
	return []billLicence{l}
}

// licences returns the texts that the parts require to be passed on with them.
func licences(parts []part) []byte {
	var all bytes.Buffer
	fmt.Fprintln(&all, "Verbatim contains the following works of others, under these terms.")
	for _, p := range parts {
		fmt.Fprintf(&all, "\n%s\n%s %s %s\n", strings.Repeat("=", 80), p.name, p.version, p.licence)
		for _, text := range licenceFiles(p.dir) {
			fmt.Fprintf(&all, "%s\n%s\n", strings.Repeat("-", 80), bytes.TrimSpace(text))
		}
	}
	return all.Bytes()
}

// licenceFiles reads the licence, notice and patent files at the top of a folder.
func licenceFiles(dir string) (texts [][]byte) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // an npm package that is not installed; the name of its licence stands above
	}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.Type() != fs.FileMode(0) || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") &&
			!strings.HasPrefix(name, "NOTICE") && !strings.HasPrefix(name, "PATENTS") {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil {
			texts = append(texts, text)
		}
	}
	return texts
}
