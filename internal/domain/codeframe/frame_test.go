package codeframe_test

import (
	"slices"
	"strings"
	"testing"

	"verbatim/internal/domain/codeframe"
)

func frame() codeframe.Frame {
	return codeframe.Made("q", "Keyword groups", "built-in", "", "1", []codeframe.Root{{Label: "beans"}, {Label: "heating"}, {Label: "milk"}})
}

// says answers for an answer that says some phrases.
func says(said ...string) func([]string) (codeframe.Coding, bool) {
	return func(phrases []string) (codeframe.Coding, bool) {
		for _, p := range phrases {
			if slices.Contains(said, p) {
				return codeframe.Coding{Quote: p, Weight: 1}, true
			}
		}
		return codeframe.Coding{}, false
	}
}

func found(themes ...int) (all []codeframe.Coding) {
	for _, n := range themes {
		all = append(all, codeframe.Coding{Theme: n, Quote: "quote", Weight: .5})
	}
	return all
}

func numbers(codings []codeframe.Coding) (all []int) {
	for _, c := range codings {
		all = append(all, c.Theme)
	}
	slices.Sort(all)
	return all
}

func must(t *testing.T) func(c codeframe.Change, err error) codeframe.Change {
	return func(c codeframe.Change, err error) codeframe.Change {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// TestFold: an answer has the themes that follow from all changes in their order, and what was decided by hand is never overridden by
// what a machine finds.
func TestFold(t *testing.T) {
	t.Parallel()
	f, ok := frame(), must(t)
	ok(f.Merge([]int{1}, 2, "Ada"))                     // version 1
	ok(f.Split(2, "Slow", []string{"too long"}, "Ada")) // version 2: theme 4
	ok(f.Recode(3, true, "Ada"))                        // version 3
	ok(f.Merge([]int{4}, 3, "Ada"))                     // version 4
	given := codeframe.Decision{Theme: 3, Assigned: true, Version: 3}
	taken := codeframe.Decision{Theme: 3, Version: 5}
	for name, tt := range map[string]struct {
		found     []int
		said      []string
		decisions []codeframe.Decision
		want      []int
	}{
		"merged":                                   {[]int{1}, nil, nil, []int{2}},
		"merged, and in both":                      {[]int{1, 2}, nil, nil, []int{2}},
		"split, and merged again":                  {[]int{1}, []string{"too long"}, nil, []int{3}},
		"says it without the theme":                {nil, []string{"too long"}, nil, nil},
		"by hand":                                  {nil, nil, []codeframe.Decision{given}, []int{3}},
		"by hand, beside what was found":           {[]int{1}, nil, []codeframe.Decision{given}, []int{2, 3}},
		"taken away":                               {[]int{3}, nil, []codeframe.Decision{taken}, nil},
		"given, and taken away":                    {[]int{2}, nil, []codeframe.Decision{given, taken}, []int{2}},
		"taken away before a merge brings another": {[]int{2}, []string{"too long"}, []codeframe.Decision{{Theme: 3, Version: 3}}, []int{3}},
	} {
		if got := numbers(f.Fold(found(tt.found...), says(tt.said...), tt.decisions)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	f, ok := frame(), must(t)
	if c := ok(f.Rename(1, "  Price of\tbeans ", "Ada")); f.Themes[0].Label != "Price of beans" || f.Themes[0].NamedBy != "Ada" || !f.Edited || c.Version != 1 {
		t.Errorf("%+v after %+v", f, c)
	}
	ok(f.Merge([]int{2}, 3, "Ada"))
	if n, err := f.Find("price of BEANS"); err != nil || n != 1 {
		t.Errorf("found %d, %v", n, err)
	}
	for name, change := range map[string]func() (codeframe.Change, error){
		"a merged theme renamed": func() (codeframe.Change, error) { return f.Rename(2, "x", "Ada") },
		"a name taken":           func() (codeframe.Change, error) { return f.Rename(3, "PRICE of beans", "Ada") },
		"a name too long":        func() (codeframe.Change, error) { return f.Rename(3, strings.Repeat("x", 61), "Ada") },
		"a theme into itself":    func() (codeframe.Change, error) { return f.Merge([]int{1}, 1, "Ada") },
		"nothing merged":         func() (codeframe.Change, error) { return f.Merge(nil, 1, "Ada") },
		"into a merged theme":    func() (codeframe.Change, error) { return f.Merge([]int{1}, 2, "Ada") },
		"no phrase":              func() (codeframe.Change, error) { return f.Split(1, "x", nil, "Ada") },
		"an empty phrase":        func() (codeframe.Change, error) { return f.Split(1, "x", []string{" "}, "Ada") },
		"an unknown theme":       func() (codeframe.Change, error) { return f.Recode(9, true, "Ada") },
	} {
		if c, err := change(); err == nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if f.Version != 2 || len(f.Live()) != 2 {
		t.Errorf("refused changes left version %d and themes %+v", f.Version, f.Live())
	}
	if c := f.Reset("Ada"); c.Version != 3 || f.Version != 3 || f.Edited || len(f.Themes) > 0 {
		t.Errorf("after a reset: %+v", f)
	}
}
