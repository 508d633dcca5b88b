package main

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/platform/store/storetest"
)

func logoOf(t *testing.T, name string, width int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, image.NewGray(image.Rect(0, 0, width, 40))); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOrgBrand sets, changes and removes the name, colour and logo of an organization. Unused logos must be removed.
func TestOrgBrand(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	data := "--data=" + folder
	id := text(t, object(t, data, "org", "create", "Acme"), "id")
	logos := func() (names []string) {
		entries, err := filepath.Glob(filepath.Join(folder, "blobs", "logos", "*.png"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range entries {
			names = append(names, "/brand/"+filepath.Base(path))
		}
		return names
	}
	first := object(t, "org", "update", id, data, "--name", "Larkspur", "--colour", "#FFF9C4", "--logo", logoOf(t, "a.png", 100))
	if first["name"] != "Larkspur" || first["colour"] != "#fff9c4" || len(logos()) != 1 || first["logo"] != logos()[0] {
		t.Errorf("the organization is %v, the logos %v", first, logos())
	}
	second := object(t, "org", "update", id, data, "--logo", logoOf(t, "b.png", 200))
	if second["name"] != "Larkspur" || second["colour"] != "#fff9c4" || second["logo"] == first["logo"] || len(logos()) != 1 {
		t.Errorf("with another logo it is %v, the logos %v", second, logos())
	}
	listed, _ := command(t, 0, "org", "list", data)
	for _, word := range []string{"COLOUR", "LOGO", "#fff9c4", second["logo"].(string)} {
		if !strings.Contains(listed, word) {
			t.Errorf("the list does not say %q:\n%s", word, listed)
		}
	}
	plain := object(t, "org", "update", id, data, "--no-logo", "--no-colour")
	if plain["colour"] != "" || plain["logo"] != "" || plain["name"] != "Larkspur" || len(logos()) != 0 {
		t.Errorf("without a look it is %v, the logos %v", plain, logos())
	}
	_, remarks := command(t, 0, "org", "update", id, data, "--colour", "#fff9c4")
	if !strings.Contains(remarks, "On light pages buttons are #") || strings.Contains(remarks, "On dark") {
		t.Errorf("remarks on a pale colour: %s", remarks)
	}
}

func TestOrgBrandIsRefused(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	data := "--data=" + t.TempDir()
	id := text(t, object(t, data, "org", "create", "Acme"), "id")
	file := func(name, content string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct {
		code int
		says string
		args []string
	}{
		{2, "nothing to change", nil},
		{2, "six hexadecimal digits", []string{"--colour", "teal"}},
		{2, "", []string{"--colour", "#1f5f5b", "--no-colour"}},
		{2, "", []string{"--logo", "/nowhere.png"}},
		{1, "SVG can contain scripts", []string{"--logo", file("a.svg", "<svg/>")}},
		{1, "PNG, JPEG or WebP", []string{"--logo", file("a.png", "a picture")}},
		{1, "512 KiB", []string{"--logo", file("a.png", strings.Repeat("x", 1<<20))}},
		{1, "2000 pixels", []string{"--logo", logoOf(t, "a.png", 2001)}},
	} {
		_, stderr := command(t, tt.code, append([]string{"org", "update", id, data}, tt.args...)...)
		if !strings.Contains(stderr, tt.says) {
			t.Errorf("%v is refused by %q, want %q", tt.args, stderr, tt.says)
		}
	}
	if _, stderr := command(t, 1, "org", "update", "nobody", data, "--name", "X"); !strings.Contains(stderr, "organization not found") {
		t.Errorf("an unknown organization: %s", stderr)
	}
}
