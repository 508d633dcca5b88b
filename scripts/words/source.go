package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text is a name that a file declares, or one line of a comment.
type text struct {
	line    int
	content string
	name    bool
	of      string // the declaration that a comment in Go documents, in the comment's first line
}

// readers returns the texts of a source, by the ending of its file; nil for a generated one.
var readers = map[string]func(file string, source []byte) ([]text, error){
	".go": readGo, ".ts": readScript, ".tsx": readScript, ".mjs": readScript, ".js": readScript,
}

// readGo returns comments and what is declared: what is only used is declared elsewhere, or by others.
func readGo(file string, source []byte) ([]text, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(parsed) {
		return nil, nil
	}
	all := []text{}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") { // a directive
				continue
			}
			all = append(all, comment(set.Position(c.Pos()).Line, c.Text)...)
		}
	}
	documents := func(doc *ast.CommentGroup, name string) {
		if doc == nil {
			return
		}
		for i, t := range all {
			if !t.name && t.line == set.Position(doc.Pos()).Line {
				all[i].of = name
			}
		}
	}
	names := func(identifiers ...*ast.Ident) {
		for _, i := range identifiers {
			if i != nil && i.Name != "_" {
				all = append(all, text{line: set.Position(i.Pos()).Line, content: i.Name, name: true})
			}
		}
	}
	variables := func(define token.Token, left ...ast.Expr) {
		for _, e := range left {
			if i, ok := e.(*ast.Ident); ok && define == token.DEFINE {
				names(i)
			}
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			documents(n.Doc, n.Name.Name)
			names(n.Name)
		case *ast.GenDecl:
			if spec, ok := n.Specs[0].(*ast.TypeSpec); ok && len(n.Specs) == 1 {
				documents(n.Doc, spec.Name.Name)
			}
			if spec, ok := n.Specs[0].(*ast.ValueSpec); ok && len(n.Specs) == 1 && len(spec.Names) == 1 {
				documents(n.Doc, spec.Names[0].Name)
			}
		case *ast.TypeSpec:
			documents(n.Doc, n.Name.Name)
			names(n.Name)
		case *ast.ValueSpec:
			if len(n.Names) == 1 {
				documents(n.Doc, n.Names[0].Name)
			}
			names(n.Names...)
		case *ast.ImportSpec:
			names(n.Name)
		case *ast.Field:
			names(n.Names...)
		case *ast.LabeledStmt:
			names(n.Label)
		case *ast.AssignStmt:
			variables(n.Tok, n.Lhs...)
		case *ast.RangeStmt:
			variables(n.Tok, n.Key, n.Value)
		}
		return true
	})
	return all, nil
}

func comment(line int, content string) (all []text) {
	for l := range strings.Lines(content) {
		all = append(all, text{line: line, content: strings.Trim(l, "/* \t\r\n")})
		line++
	}
	return all
}

// readScript returns comments and identifiers of TypeScript or JavaScript, but for members that are used (after a dot) and for what is quoted.
// It knows no grammar: a quote that stands in a text of JSX or in a regular expression hides the rest of its line at most.
func readScript(_ string, source []byte) ([]text, error) {
	s := string(source)
	if head := s[:min(len(s), 500)]; strings.Contains(head, "generated") && (strings.Contains(head, "DO NOT EDIT") || strings.Contains(head, "Do not make direct changes")) {
		return nil, nil
	}
	all, line := []text{}, 1
	nested := []int{} // open braces within each ${ of the template literals that stand open
	for i := 0; i < len(s); {
		rest := s[i:]
		n := 1
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "//"):
			n = until(rest, "\n")
			all = append(all, comment(line, rest[:n])...)
		case strings.HasPrefix(rest, "/*"):
			n = min(2+until(rest[2:], "*/")+2, len(rest))
			all = append(all, comment(line, rest[:n])...)
		case c == '\\':
			n = 2
		case c == '"' || c == '\'':
			n = quoted(rest)
		case c == '`' || c == '}' && len(nested) > 0 && nested[len(nested)-1] == 0:
			if c == '}' {
				nested = nested[:len(nested)-1]
			}
			var open bool
			if n, open = template(rest); open {
				nested = append(nested, 0)
			}
		case c == '{' && len(nested) > 0:
			nested[len(nested)-1]++
		case c == '}' && len(nested) > 0:
			nested[len(nested)-1]--
		default:
			if n = identifier(rest); n == 0 {
				_, n = utf8.DecodeRuneInString(rest)
			} else if i == 0 || s[i-1] != '.' || i > 2 && s[i-3:i] == "..." {
				all = append(all, text{line: line, content: rest[:n], name: true})
			}
		}
		n = min(n, len(rest))
		line += strings.Count(rest[:n], "\n")
		i += n
	}
	return all, nil
}

// until returns how many bytes stand before a mark, or the length where it is missing.
func until(s, mark string) int {
	if i := strings.Index(s, mark); i >= 0 {
		return i
	}
	return len(s)
}

// quoted returns the length of a string literal, which ends at the end of its line at the latest.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			return i
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

// template returns the length of the text of a template literal from its backtick or from the brace that ends an expression in it, and
// reports whether another expression begins there.
func template(s string) (int, bool) {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '`':
			return i + 1, false
		case strings.HasPrefix(s[i:], "${"):
			return i + 2, true
		}
	}
	return len(s), false
}

// identifier returns the length of the identifier that a text begins with, or 0.
func identifier(s string) int {
	for i, r := range s {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(s)
}
