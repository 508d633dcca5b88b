package attack

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// terminalAttacks are words of participants that harm whoever reads them in a terminal or in a spreadsheet.
var terminalAttacks = []attack{
	{point: 8, name: "control sequences in a terminal", mark: "no command prints one", run: func(s *stage) {
		link, ids := s.saySomething(controls)
		commands := [][]string{
			{"response", "show", link, "1"},
			{"response", "show", link, "2"},
			{"card", link},
			{"study", "analyse", link, "--no-model"},
			{"study", "analyse", link, "--no-model", "--by", "param:src"},
			{"replay", "--study", link},
			{"replay", ids[0]},
			{"deletion", "list"},
			{"wallet", "list"},
			{"org", "list"},
			{"user", "list", "--org", s.innocent.OrgID},
			{"rebuild"},
			{"doctor"},
			{"study", "simulate", link, "--participants", "1"},
			{"study", "analyse", link + "\x1b[2J"},
			{"response", "show", link, "9\x1b[2J"},
		}
		for _, args := range commands {
			s.sent.add()
			printed, err := s.server.try(s.t, args...)
			if err != nil && !strings.Contains(strings.Join(args, " "), "\x1b") && args[0] != "doctor" && args[0] != "replay" {
				s.fail("%v: %v", args, err)
			}
			if found := controlIn(string(printed)); found != "" {
				s.fail("%v prints %s", args, found)
			}
		}
	}},
	{point: 8, name: "formulas in CSV", mark: "no cell begins one", run: func(s *stage) {
		link, _ := s.saySomething(formulas)
		for n, by := range [][]string{nil, {"--by", "param:src"}} {
			s.sent.add()
			dir := filepath.Join(s.t.TempDir(), fmt.Sprint("csv", n))
			s.server.printed(s.t, append([]string{"study", "analyse", link, "--no-model", "--csv", dir}, by...)...)
			cells := 0
			files, err := filepath.Glob(filepath.Join(dir, "*.csv"))
			if err != nil || len(files) == 0 {
				s.fail("there are no tables: %v", err)
			}
			for _, name := range files {
				cells += s.readCells(name)
			}
			s.note("%d cells in %d tables", cells, len(files))
		}
	}},
}

// controls act on a terminal: they clear it, set its clipboard, make a link, ring, move back over text, turn it around.
var controls = []string{
	"\x1b[2J\x1b[31mred and gone", "\x1b]52;c;ZXZpbCBjb21tYW5k\x07 is in your clipboard", "\x1b]8;;https://evil.example.com\x1b\\a link\x1b]8;;\x1b\\ to it",
	"\u009b2J and \u009d52;c;ZXZpbA==\u009c in eight bits", "one line\rhides another", "gone\b\b\b\bback", "bell \x07 and null-like \x01 and \x7f",
	"\u202egnirts desrever\u202c and \u2066isolated\u2069", "vertical \x0b and form \x0c feeds", "line\u2028and paragraph\u2029separators",
}

// formulas are run by spreadsheets, some after a prefix that they ignore.
var formulas = []string{
	"=HYPERLINK(\"https://evil.example.com\",\"click\")", "+1+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(1+9)*cmd|' /C calc'!A0",
	"＝1+1 full width words", "＋1+1 full width words", "－1+1 full width words", "＠SUM(1) full width words", "\u200b=1+1 zero width words", "\ufeff=1+1 byte order words",
	"\t=1+1 tab words", "\r=1+1 return words", " =1+1 space words", "\u00a0=1+1 hard space words", "\u2060＝1+1 joiner words", "\u00ad=1+1 soft hyphen words", "\u202e=1+1 turned words",
}

// saySomething takes a study whose every answer and parameter is one of the texts; it returns the study's link and the responses' ids.
func (s *stage) saySomething(words []string) (link string, ids []string) {
	s.t.Helper()
	choice := dict{"type": "multiple_choice", "text": "Which?", "options": texts(2, "option"), "allowCustomOption": true}
	guide := guideOf("What they say", open("Why?", "none"), choice, open("Anything else?", "none"))
	guide["config"] = dict{"verbatim": dict{"model": dict{"sendAnything": false}}} // the built-in analyst quotes them, at once; the scripted model would not
	_, link = s.study(s.t, s.innocent, guide)
	for _, word := range words {
		s.sent.add()
		p := s.somebody()
		r, err := p.send(s.t.Context(), http.MethodPost, "/s/"+link+"/interviews?src="+url.QueryEscape(word), dict{}, "Content-Type", "application/json")
		var begun struct {
			Token string
			Step  step
		}
		if err != nil || r.status != http.StatusCreated || r.decode(&begun) != nil {
			s.t.Fatalf("beginning with %q: %d %.200s, %v", word, r.status, r.body, err)
		}
		i := session{begun.Token, begun.Step}
		for n := range 3 {
			answer := dict{"text": word}
			if n == 1 {
				answer = dict{"selected": []string{}, "customText": word}
			}
			if r, err := p.answer(s.t.Context(), &i, answer); err != nil || r.status != http.StatusOK {
				s.t.Fatalf("saying %q: %d %.200s, %v", word, r.status, r.body, err)
			}
		}
	}
	var items []struct {
		ID           string
		QualityScore any
	}
	waits := true
	for end := time.Now().Add(2 * time.Minute); waits && time.Now().Before(end); <-time.After(50 * time.Millisecond) { // until they are analysed
		r, err := s.somebody().send(s.t.Context(), http.MethodGet, "/api/public/v1/responses/"+link+"?perPage=100", nil, "X-Api-Key", s.innocent.Key)
		if err != nil || r.decode(&items) != nil || len(items) == 0 {
			s.t.Fatalf("listing: %d, %v", r.status, err)
		}
		waits = false
		for _, item := range items { // abuse is hidden once it is analysed, so fewer may be listed than were said
			waits = waits || item.QualityScore == "pending"
		}
	}
	if waits {
		s.fail("some of %d responses are not analysed after two minutes", len(items))
	}
	for _, item := range items {
		ids = append(ids, item.ID)
	}
	return link, ids
}

// controlIn returns the first part of a text that acts on a terminal, or "".
func controlIn(text string) string {
	for at, r := range text {
		bidi := r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || bidi || r == 0x2028 || r == 0x2029) {
			return fmt.Sprintf("%U in %q", r, text[max(0, at-20):min(len(text), at+20)])
		}
	}
	return ""
}

var number = regexp.MustCompile(`^[-+]?[0-9][0-9.,]*%?$`)

// readCells fails if a cell of a table begins a formula; it returns how many cells there are.
func (s *stage) readCells(name string) (n int) {
	f, err := os.Open(name)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	reader := csv.NewReader(f)
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil {
		s.fail("%s: %v", filepath.Base(name), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			n++
			bare := strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) })
			if bare != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(bare)[0]) && !number.MatchString(bare) {
				s.fail("%s has the cell %q", filepath.Base(name), cell)
			}
		}
	}
	return n
}
