// Command words looks in Go and TypeScript sources for words that were coined in this project, where the field has words of its own
// (words.txt), and in Go for comments that begin with another name than the one they document, as a renaming leaves them. It prints a
// line for each finding, and fails when there is one. exceptions.txt lists what may stay, each with its reason; an exception that excepts
// nothing is a finding, too.
//
//	go run ./scripts/words [-counts] [ROOT]
package main

import (
	"bufio"
	_ "embed"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed words.txt
var wordList string

//go:embed exceptions.txt
var exceptionList string

// finding is one place with a coined word.
type finding struct {
	file string // relative to the root, with slashes
	line int
	word *word
	text string // the name, or the line of the comment
}

func main() {
	counts := flag.Bool("counts", false, "print the number of findings in each top folder, and of each word, instead of the findings")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if err := run(root, *counts); err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}

func run(root string, counts bool) error {
	words, err := parseWords(wordList)
	if err != nil {
		return err
	}
	exceptions, err := parseExceptions(exceptionList, words)
	if err != nil {
		return err
	}
	all, err := search(os.DirFS(root), words)
	if err != nil {
		return err
	}
	found, unused := except(all, exceptions)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	if counts {
		printCounts(out, found)
	} else {
		for _, f := range found {
			fmt.Fprintf(out, "%s:%d: %q in %q; use: %s\n", f.file, f.line, f.word.text, f.text, f.word.instead)
		}
	}
	for _, e := range unused {
		fmt.Fprintf(out, "scripts/words/exceptions.txt:%d: excepts nothing; remove it\n", e.line)
	}
	if n := len(found) + len(unused); n > 0 {
		return fmt.Errorf("%d findings", n)
	}
	return nil
}

// skipped reports whether a folder holds nothing that is written here.
func skipped(name string) bool {
	return slices.Contains([]string{"node_modules", "dist", "bin", "testdata"}, name) || strings.HasPrefix(name, ".") && name != "."
}

// search returns every occurrence of the words in the sources of a tree, in the order of their places.
func search(tree fs.FS, words []*word) ([]finding, error) {
	var all []finding
	look := func(file string, texts ...text) {
		for _, t := range texts {
			for _, w := range words {
				if w.occurs(t) {
					all = append(all, finding{file, t.line, w, t.content})
				}
			}
			if t.stale() {
				all = append(all, finding{file, t.line, &word{text: staleComment, instead: t.of}, t.content})
			}
		}
	}
	err := fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped(d.Name()) {
				return fs.SkipDir
			}
			look(file, text{line: 1, content: d.Name(), name: true})
			return nil
		}
		read := readers[path.Ext(file)]
		if read == nil {
			return nil
		}
		source, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		texts, err := read(file, source)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if texts == nil { // generated
			return nil
		}
		look(file, text{line: 1, content: strings.TrimSuffix(d.Name(), path.Ext(file)), name: true})
		look(file, texts...)
		return nil
	})
	slices.SortStableFunc(all, func(a, b finding) int {
		if c := strings.Compare(a.file, b.file); c != 0 {
			return c
		}
		return a.line - b.line
	})
	return all, err
}

func printCounts(out *bufio.Writer, found []finding) {
	folders, words := map[string]int{}, map[string]int{}
	for _, f := range found {
		folders[folder(f.file)]++
		words[f.word.text]++
	}
	for _, counts := range []map[string]int{folders, words} {
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(out, "%6d %s\n", counts[name], name)
		}
		fmt.Fprintln(out)
	}
}

// folder returns the top folder of a file, and the folder below it in internal/, web/ and test/.
func folder(file string) string {
	parts := strings.Split(filepath.ToSlash(path.Dir(file)), "/")
	if len(parts) > 1 && slices.Contains([]string{"internal", "web", "test"}, parts[0]) {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}
