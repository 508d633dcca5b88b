package exporting_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/exporting"
)

// pspp runs PSPP in a folder.
func pspp(t *testing.T, dir, syntax string) string {
	t.Helper()
	program, err := exec.LookPath("pspp")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("PSPP is missing: install the package pspp (scripts/setup.sh does)")
		}
		t.Skip("PSPP is missing, so no SPSS file was read back: install the package pspp (scripts/setup.sh does)")
	}
	if err := os.WriteFile(filepath.Join(dir, "read.sps"), []byte(syntax), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-o", "-", "-O", "format=txt", "-O", "box=ascii", "-O", "width=200", "read.sps")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestSAVIsReadByPSPP: PSPP reads the file without a warning, and finds the codes, labels, missing values and texts of the table.
func TestSAVIsReadByPSPP(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.New(t), sampleGuide(t))
	long := strings.Repeat("Käse, \"quoted\" 茶 und Brot. ", 100)[:2600] // in eleven segments
	long = strings.ToValidUTF8(long, "")
	w.words = func(chance *rand.Rand) string {
		return []string{"short", long, "two\nlines", "  spaces in front", "="}[chance.IntN(5)]
	}
	w.fill(t, 20)
	file, sum := w.write(t, exporting.Options{Format: exporting.SAV})
	if sum.Cut != 0 || sum.Responses != 20 {
		t.Errorf("%+v", sum)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "r.sav"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	out := pspp(t, dir, `GET FILE='r.sav'.
SYSFILE INFO 'r.sav'.
FREQUENCIES VARIABLES=q1 q5_1.
DISPLAY DICTIONARY /VARIABLES=q1 q5_1 q4.
SAVE TRANSLATE /OUTFILE='codes.csv' /TYPE=CSV /REPLACE /FIELDNAMES /CELLS=VALUES.
`)
	for _, want := range []string{"UTF-8", "Every day", "not selected", "not asked", "-99", "How often do you make coffee at home?", "A4000"} {
		if !strings.Contains(out, want) {
			t.Errorf("PSPP does not say %q", want)
		}
	}
	if strings.Contains(out, "warning") || strings.Contains(out, "error") {
		t.Errorf("PSPP complains:\n%s", out)
	}
	read, err := os.ReadFile(filepath.Join(dir, "codes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	_, got := readCSV(t, read)
	table, _ := w.write(t, exporting.Options{Format: exporting.CSV})
	_, want := readCSV(t, table)
	if len(got) != len(want) {
		t.Fatalf("%d cases, want %d", len(got), len(want))
	}
	compared := 0
	for i := range got {
		for name, value := range got[i] {
			if strings.HasSuffix(name, "_at") { // in PSPP's own form
				continue
			}
			expected, value := strings.TrimRight(strings.TrimPrefix(want[i][name], "'"), " "), strings.TrimSpace(strings.TrimPrefix(value, "'"))
			expected = strings.TrimSpace(expected)
			if missingCode(value) {
				value = ""
			}
			if value != expected {
				t.Errorf("%s of case %d: PSPP reads %q, the table has %q", name, i+1, value, expected)
			}
			compared++
		}
	}
	if compared < 1000 {
		t.Errorf("%d cells were compared", compared)
	}
}

// TestSAVStructureIsThatOfTheGuide: what stands before the cases is the same whatever was answered, and texts that do not fit are counted.
func TestSAVStructureIsThatOfTheGuide(t *testing.T) {
	t.Parallel()
	s, g := storetest.New(t), sampleGuide(t)
	header := func(n int, words string) []byte {
		w := newWorld(t, s, g)
		w.words = func(*rand.Rand) string { return words }
		w.fill(t, n)
		file, sum := w.write(t, exporting.Options{Format: exporting.SAV})
		if (sum.Cut > 0) != (len(words) > 4000) {
			t.Errorf("%d bytes: %+v", len(words), sum)
		}
		end := bytes.Index(file, []byte("\xe7\x03\x00\x00\x00\x00\x00\x00")) // 999, 0
		if end < 0 {
			t.Fatal("the dictionary has no end")
		}
		return append(file[:92:92], file[109:end]...) // without date and time
	}
	none, some := header(0, ""), header(3, strings.Repeat("ä", 5000))
	if !bytes.Equal(none, some) {
		t.Errorf("%d and %d bytes: %s", len(none), len(some), firstDifference(none, some))
	}
}

func firstDifference(a, b []byte) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("at %d: %q and %q", i, a[i:min(len(a), i+40)], b[i:min(len(b), i+40)])
		}
	}
	return "the shorter one is the beginning of the other"
}
