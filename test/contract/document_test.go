package contract

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim/openapi"
)

// TestDocuments checks what OpenAPI 3.1 requires of a document and what we require beyond: closed objects, and nothing unused.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, text := range map[string][]byte{"v1": openapi.V1, "legacy": openapi.Legacy, "participant": openapi.Participant, "dashboard": openapi.Dashboard} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := parse(name, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, violation := range doc.violations() {
				t.Error(violation)
			}
		})
	}
}

// TestViolations plants one violation of each sort.
func TestViolations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ old, new, want string }{
		{"openapi: 3.1.0", "openapi: 3.0.3", "openapi is 3.0.3"},
		{"identifier: Apache-2.0", "identifier: MIT", "the licence is not Apache-2.0"},
		{"operationId: legacyListSurveys", "operationId: legacyListQuestions", "operationId legacyListQuestions is not unique"},
		{"tags: [Studies]", "tags: [Study]", "the tag Study is not declared"},
		{"/api/public/list_surveys:", "/api/public/list_surveys/{page}:", "has no parameter page"},
		{"description: The studies.", "x: y", "200 has no description"},
		{"'#/components/schemas/Survey'", "'#/components/schemas/Study'", "points nowhere"},
		{"    Uuid: {", "    Unused: {}\n    Uuid: {", "#/components/schemas/Unused is not used"},
		{"required: [error, code]", "required: [error, cod]", "requires cod, which it does not have"},
		{"enum: [bad_request]", "enum: [badrequest]", "the code badrequest is not among those of ErrorCode"},
		{"        - bad_request\n", "        - bad_request\n        - teapot\n", "no answer has the code teapot"},
		{"description: Signed URL of the voice recording. }", "description: Signed URL of the voice, as recorded. }", "the key \"as recorded.\" has no value"},
		{"description: Empty where skipped. }", "description: 'Empty, where skipped' }", "has no end"},
		{"{ type: integer, format: int32, minimum: 0, maximum: 2147483647, default: 0 }", "{ type: integer, minimum: 0, maximum: 2147483647, default: 0 }", "the number has no format"},
		{"      additionalProperties: false\n      required: [questions]", "      required: [questions]", "Questions is open"},
	} {
		t.Run(test.want, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(string(openapi.Legacy), test.old, test.new, 1)
			if text == string(openapi.Legacy) {
				t.Fatalf("the document has no %q", test.old)
			}
			doc, err := parse("legacy", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if violations := doc.violations(); !slices.ContainsFunc(violations, func(f string) bool { return strings.Contains(f, test.want) }) {
				t.Errorf("violations = %q, want one with %q", violations, test.want)
			}
		})
	}
}

// ofGuides matches the schemas whose codes are those of bodies and guides, and not of errors.
var ofGuides = regexp.MustCompile(`^#/components/schemas/(Issue|Problem|LaunchCheck)/`)

var inBraces = regexp.MustCompile(`\{([^}]*)\}`)

func (d *document) violations() (violations []string) {
	report := func(format string, args ...any) { violations = append(violations, fmt.Sprintf(format, args...)) }
	object := func(value any, keys ...string) map[string]any {
		for _, key := range keys {
			parent, _ := value.(map[string]any)
			value = parent[key]
		}
		found, _ := value.(map[string]any)
		return found
	}
	if version := fmt.Sprint(d.root["openapi"]); !strings.HasPrefix(version, "3.1.") {
		report("openapi is %s", version)
	}
	if object(d.root, "info")["version"] != "2.0.0" {
		report("info.version is not 2.0.0")
	}
	if object(d.root, "info", "license")["identifier"] != "Apache-2.0" {
		report("the licence is not Apache-2.0")
	}

	tags, ids := map[string]bool{}, map[any]bool{}
	list, _ := d.root["tags"].([]any)
	for _, tag := range list {
		tags[fmt.Sprint(object(tag)["name"])] = true
	}
	for path, item := range object(d.root, "paths") {
		for _, method := range methods {
			op := object(item, method)
			if op == nil {
				continue
			}
			place := method + " " + path
			if ids[op["operationId"]] || op["operationId"] == nil {
				report("%s: operationId %v is not unique", place, op["operationId"])
			}
			ids[op["operationId"]] = true
			for _, key := range []string{"summary", "description"} {
				if op[key] == nil {
					report("%s has no %s", place, key)
				}
			}
			for _, tag := range texts(op["tags"]) {
				if !tags[tag] {
					report("%s: the tag %s is not declared", place, tag)
				}
			}
			declared := map[string]bool{}
			parameters, _ := op["parameters"].([]any)
			for _, parameter := range parameters {
				n, err := d.follow(node{value: object(parameter)})
				if err != nil {
					report("%s: %v", place, err)
				}
				if n.value["in"] == "path" {
					declared[fmt.Sprint(n.value["name"])] = true
				}
			}
			for _, match := range inBraces.FindAllStringSubmatch(path, -1) {
				if !declared[match[1]] {
					report("%s has no parameter %s", place, match[1])
				}
				delete(declared, match[1])
			}
			for name := range declared {
				report("%s: the path has no %s", place, name)
			}
			for status, response := range object(op, "responses") {
				if n, err := d.follow(node{value: object(response)}); err != nil || n.value["description"] == nil {
					report("%s: %s has no description (%v)", place, status, err)
				}
			}
		}
	}

	// The codes that a generator reads must be the codes of the answers.
	known := texts(object(d.root, "components", "schemas", "ErrorCode")["enum"])
	answered := map[string]bool{}
	d.eachObject(d.root, "#", func(at string, value map[string]any) {
		if strings.HasSuffix(at, "/properties/code") && !ofGuides.MatchString(at) && !strings.Contains(at, "/if/") {
			for _, code := range texts(value["enum"]) {
				answered[code] = true
				if !slices.Contains(known, code) {
					report("%s: the code %s is not among those of ErrorCode", at, code)
				}
			}
		}
	})
	for _, code := range known {
		if !answered[code] {
			report("no answer has the code %s of ErrorCode", code)
		}
	}

	used := map[string]bool{}
	d.eachObject(d.root, "#", func(at string, value map[string]any) {
		for key, element := range value {
			// An unquoted text in a flow mapping ends at its first comma; what follows becomes a key without a value.
			if element == nil {
				report("%s: the key %q has no value", at, key)
			}
		}
		if text, ok := value["description"].(string); ok && !strings.HasSuffix(strings.TrimSpace(text), ".") && !strings.HasSuffix(strings.TrimSpace(text), "|") {
			report("%s: the description has no end: %q", at, text)
		}
		if kind := texts(value["type"]); (value["type"] == "integer" || value["type"] == "number" || slices.Contains(kind, "integer") || slices.Contains(kind, "number")) && value["format"] == nil {
			report("%s: the number has no format", at)
		}
		if ref, ok := value["$ref"].(string); ok {
			used[ref] = true
			if _, err := d.follow(node{at: at, value: value}); err != nil {
				report("%v", err)
			}
		}
	})
	for kind, parts := range object(d.root, "components") {
		for name := range object(parts) {
			if at := "#/components/" + kind + "/" + name; kind != "securitySchemes" && !used[at] {
				report("%s is not used", at)
			}
		}
	}
	d.eachObject(object(d.root, "components", "schemas"), "#/components/schemas", func(at string, value map[string]any) {
		properties := object(value, "properties")
		if properties == nil || value["type"] == nil || value["allOf"] != nil && value["additionalProperties"] == nil {
			return // not an object's own schema: a condition, or a choice of schemas
		}
		if value["additionalProperties"] == nil && value["unevaluatedProperties"] != false {
			report("%s is open", at)
		}
		for _, key := range texts(value["required"]) {
			if properties[key] == nil {
				report("%s requires %s, which it does not have", at, key)
			}
		}
	})
	return violations
}

// eachObject visits all objects of a tree except the values of examples.
func (d *document) eachObject(value any, at string, visit func(at string, value map[string]any)) {
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			d.eachObject(element, fmt.Sprintf("%s/%d", at, i), visit)
		}
	case map[string]any:
		visit(at, value)
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if key != "examples" && key != "example" {
				d.eachObject(value[key], at+"/"+key, visit)
			}
		}
	}
}
