package workingcopy

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/strictjson"
)

// stopgap returns a copy in which something stands for what is empty or missing, so that the rules can be checked beside it; nil if that
// is not possible. filled reports whether a pointer leads to something that was put in, about which nothing is to be said.
func stopgap(body []byte, issues []guide.Issue) (made []byte, filled func(pointer string) bool) {
	var copied any
	if err := json.Unmarshal(body, &copied); err != nil {
		return nil, nil
	}
	var places []string
	for i, issue := range issues {
		path := issue.Path
		if at := slices.Index(path, "conditional"); at >= 0 { // an incomplete condition shows always
			setAt(copied, path[:at+1], nil)
			places = append(places, pointer(path[:at+1]))
			continue
		}
		value := standIn(copied, issue, i)
		if value == nil {
			return nil, nil
		}
		setAt(copied, path, value)
		places = append(places, pointer(path))
	}
	made, err := json.Marshal(copied)
	if err != nil {
		return nil, nil
	}
	return made, func(pointer string) bool {
		return slices.ContainsFunc(places, func(place string) bool { return pointer == place || strings.HasPrefix(pointer, place+"/") })
	}
}

// standIn returns a value for the place of an issue; nil if nothing is missing there.
func standIn(copied any, issue guide.Issue, n int) any {
	missing := issue.Code == strictjson.TooSmall || issue.Code == strictjson.InvalidType && (issue.Received == "undefined" || issue.Received == "null")
	if !missing || len(issue.Path) == 0 {
		return nil
	}
	text := "…" + strconv.Itoa(n)
	named := func(i int) map[string]any {
		return map[string]any{"text": text + strconv.Itoa(i), "externalId": text + strconv.Itoa(i)}
	}
	key := issue.Path[len(issue.Path)-1]
	screening := len(issue.Path) > 1 && isScreening(copied, issue.Path[1])
	switch key {
	case "options":
		options := []any{named(0), named(1)}
		for _, o := range options {
			if screening {
				o.(map[string]any)["status"] = guide.Neutral
			}
		}
		return options
	case "rows":
		return []any{map[string]any{"text": text}}
	case "items":
		it := named(0)
		it["type"] = guide.Statement
		if screening {
			it["type"] = guide.MultipleChoice
			it["options"] = []any{map[string]any{"text": text, "externalId": text, "status": guide.Neutral}}
		}
		return []any{it}
	case "studyGuide":
		it := named(0)
		it["type"] = guide.Statement
		return []any{map[string]any{"type": guide.BlockFlat, "title": "", "externalId": text, "items": []any{it}}}
	case "content":
		return map[string]any{"title": text}
	case "url":
		return "https://example.org/"
	}
	if issue.Expected == strictjson.String.String() || strings.Contains(issue.Expected, "character") {
		return text
	}
	return nil
}

// isScreening reports whether the block at an index is a screening block.
func isScreening(copied any, index string) bool {
	top, _ := copied.(map[string]any)
	blocks, _ := top["studyGuide"].([]any)
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(blocks) {
		return false
	}
	b, _ := blocks[i].(map[string]any)
	return b["type"] == string(guide.BlockScreening)
}

// setAt sets the value at a path whose parents exist.
func setAt(tree any, path []string, value any) {
	for i, step := range path {
		last := i == len(path)-1
		switch in := tree.(type) {
		case map[string]any:
			if last {
				in[step] = value
			}
			tree = in[step]
		case []any:
			at, err := strconv.Atoi(step)
			if err != nil || at < 0 || at >= len(in) {
				return
			}
			if last {
				in[at] = value
			}
			tree = in[at]
		default:
			return
		}
	}
}
