// Package test proves promises that belong to no single package: which test shows what.
package test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/guide"
	"verbatim/test/contract"
)

// proof names the test that shows a promise: its file, its function, and what stands in the file for a part of a test.
type proof struct {
	promise    string
	file, test string
	part       string // a string in the file, such as the name of a subtest; empty: the whole test
}

// codes are the error codes of the contract's table and of the decisions beside it.
var codes = []proof{
	{"invalid_json", "internal/api/v1/errors_test.go", "TestErrors", `"invalid_json"`},
	{"invalid_request_body", "internal/api/v1/errors_test.go", "TestErrors", `"invalid_request_body"`},
	{"invalid_study_guide", "internal/api/v1/errors_test.go", "TestErrors", `"invalid_study_guide"`},
	{"wallet_required", "internal/api/v1/errors_test.go", "TestErrors", `"wallet_required"`},
	{"insufficient_credits", "internal/api/v1/errors_test.go", "TestErrors", `"insufficient_credits"`},
	{"bad_request", "internal/api/v1/errors_test.go", "TestErrors", `"bad_request"`},
	{"missing_api_key", "internal/api/v1/errors_test.go", "TestErrors", `"missing_api_key"`},
	{"invalid_api_key", "internal/api/v1/errors_test.go", "TestErrors", `"invalid_api_key"`},
	{"forbidden", "internal/api/v1/errors_test.go", "TestErrors", `"forbidden"`},
	{"launch_permission_denied", "internal/api/v1/errors_test.go", "TestErrors", `"launch_permission_denied"`},
	{"wallet_access_denied", "internal/api/v1/errors_test.go", "TestErrors", `"wallet_access_denied"`},
	{"study_not_found", "internal/api/v1/errors_test.go", "TestErrors", `"study_not_found"`},
	{"response_not_found", "internal/api/v1/errors_test.go", "TestErrors", `"response_not_found"`},
	{"not_found", "internal/api/v1/errors_test.go", "TestErrors", `"not_found"`},
	{"method_not_allowed", "internal/api/v1/errors_test.go", "TestErrors", `"method_not_allowed"`},
	{"concurrent_modification", "internal/api/v1/errors_test.go", "TestBusy", `"concurrent_modification"`},
	{"study_busy", "internal/api/v1/errors_test.go", "TestBusy", `"study_busy"`},
	{"conflict", "internal/api/v1/launch_test.go", "TestLaunchMeetsAnEdit", `"conflict"`},
	{"payload_too_large", "internal/api/v1/errors_test.go", "TestErrors", `"payload_too_large"`},
	{"rate_limited", "internal/api/v1/errors_test.go", "TestErrors", `"rate_limited"`},
	{"internal_error", "internal/api/v1/errors_test.go", "TestErrors", `"internal_error"`},
	{"upload_not_found", "internal/participant/uploads_test.go", "TestUploadErrors", `"upload_not_found"`},
	{"upload_gone", "internal/participant/uploads_test.go", "TestUploadErrors", `"upload_gone"`},
	{"offset_conflict", "internal/participant/uploads_test.go", "TestUploadErrors", `"offset_conflict"`},
	{"upload_incomplete", "internal/participant/transcript_test.go", "TestTranscriptErrors", `"upload_incomplete"`},
	{"upload_in_use", "internal/participant/uploads_test.go", "TestUploadErrors", `"upload_in_use"`},
	{"upload_quota_exceeded", "internal/participant/uploads_test.go", "TestUploadErrors", `"upload_quota_exceeded"`},
	{"device_not_supported", "internal/participant/devices_test.go", "TestDevices", `"device_not_supported"`},
	{"interview_ended", "internal/participant/uploads_test.go", "TestUploadErrors", `"interview_ended"`},
	{"unsupported_version", "internal/participant/uploads_test.go", "TestUploadErrors", `"unsupported_version"`},
	{"unsupported_media_type", "internal/participant/uploads_test.go", "TestUploadErrors", `"unsupported_media_type"`},
}

// rules are the cross-field rules of the contract, by number, and those that the decisions add.
var rules = []proof{
	{"1 at most one screening block, first", "internal/guide/rules_blocks_test.go", "TestOneScreeningBlockFirst", ""},
	{"2 screening asks multiple_choice alone", "internal/guide/rules_blocks_test.go", "TestScreeningAsksChoices", ""},
	{"2 status in screening, and there alone", "internal/guide/rules_blocks_test.go", "TestStatusInScreeningAlone", ""},
	{"3 conceptSamplingConfig in concept blocks", "internal/guide/rules_blocks_test.go", "TestConceptsInConceptBlocks", ""},
	{"4 externalIds unique", "internal/guide/rules_blocks_test.go", "TestIDsUnique", ""},
	{"5 conditions reference earlier items", "internal/guide/rules_references_test.go", "TestConditionSources", ""},
	{"5 carryForwardFrom references an earlier multi-select item", "internal/guide/rules_references_test.go", "TestCarryForwardSources", ""},
	{"5 an empty reference names nothing", "internal/guide/rules_references_test.go", "TestEmptyReferences", ""},
	{"6 concept conditions reference earlier blocks", "internal/guide/rules_references_test.go", "TestConceptConditionSources", ""},
	{"7 minSelect and maxSelect", "internal/guide/rules_selection_test.go", "TestSelectBounds", ""},
	{"8 exclusiveOption on the final option", "internal/guide/rules_selection_test.go", "TestExclusiveIsFinal", ""},
	{"options or carryForwardFrom", "internal/guide/rules_references_test.go", "TestOptionsOrCarryForward", ""},
	{"matrixRow", "internal/guide/rules_references_test.go", "TestMatrixRows", ""},
	{"choices are options of the source, through chains", "internal/guide/rules_references_test.go", "TestChoicesOfSource", ""},
	{"option externalIds unique within an item", "internal/guide/rules_blocks_test.go", "TestOptionIDsUnique", ""},
	{"minSelect within the options", "internal/guide/rules_selection_test.go", "TestMinSelectWithinOptions", ""},
	{"subsampleCount within the concepts", "internal/guide/rules_blocks_test.go", "TestSubsampleWithinConcepts", ""},
}

// items are the item types, each run by the engine's scripts and shown at the participant's door.
var items = []proof{
	{string(guide.OpenEnded), "internal/interview/testdata/open_ended.txt", "", "open_ended"},
	{string(guide.MultipleChoice), "internal/interview/testdata/multiple_choice.txt", "", "multiple_choice"},
	{string(guide.Ranking), "internal/interview/testdata/ranking.txt", "", "ranking"},
	{string(guide.Matrix), "internal/interview/testdata/matrix.txt", "", "matrix"},
	{string(guide.MaxDiff), "internal/interview/testdata/max_diff.txt", "", "max_diff"},
	{string(guide.Statement), "internal/interview/testdata/statement_upload.txt", "", "statement"},
	{string(guide.FileUpload), "internal/interview/testdata/statement_upload.txt", "", "file_upload"},
	{"file_upload at the participant's door", "internal/participant/uploads_test.go", "TestUploadsOfAnInterview", ""},
	{"file_upload without JavaScript", "internal/participant/files_test.go", "TestFilesByForm", ""},
}

// speech is what is promised of the words that are heard.
var speech = []proof{
	{"a real voice is understood", "test/speech/speech_test.go", "TestRealSpeech", "0.25"},
	{"a real voice is understood through the page", "test/browser/speech.mjs", "", "0.25"},
	{"silence is no speech, however loud", "internal/transcript/gate_test.go", "TestSpeechProperties", ""},
	{"silence is never sent, and nothing is invented", "internal/hearing/hearing_test.go", "TestNothingIsInvented", ""},
	{"two who ask at once pay once", "internal/hearing/hearing_test.go", "TestTwoAtOnce", ""},
	{"without a provider participants type", "internal/hearing/hearing_test.go", "TestNobodyHears", `"no provider"`},
	{"what is only spoken becomes the answer's text", "internal/hearing/job_test.go", "TestRun", ""},
	{"what was typed stays", "internal/hearing/job_test.go", "TestTypedTextStays", ""},
	{"an analysis is written again with the words", "internal/analysis/worker_test.go", "TestHeardWords", ""},
	{"transcripts are erased", "internal/store/transcript_test.go", "TestTranscriptsGo", ""},
	{"the key is in no log", "test/speech/speech_test.go", "serve", "never-logged"},
}

// TestEveryPromiseHasItsTest: the tables above are whole, and each names a test that is there.
func TestEveryPromiseHasItsTest(t *testing.T) {
	t.Parallel()
	suite, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(suite.Covered().Seen, suite.Covered().Missing) {
		if c.Operation.Document == "v1" && c.Code != "" && !listed(codes, c.Code) {
			t.Errorf("the code %s is documented and stands in no row", c.Code)
		}
	}
	for _, kind := range []guide.ItemType{
		guide.OpenEnded, guide.FileUpload, guide.MultipleChoice, guide.Ranking, guide.Matrix, guide.MaxDiff, guide.Statement,
	} {
		if !listed(items, string(kind)) {
			t.Errorf("the item type %s stands in no row", kind)
		}
	}
	for number := '1'; number <= '8'; number++ {
		if !slices.ContainsFunc(rules, func(p proof) bool { return strings.HasPrefix(p.promise, string(number)+" ") }) {
			t.Errorf("rule %c of the contract stands in no row", number)
		}
	}
	for _, p := range slices.Concat(codes, rules, items, speech) {
		if missing := p.missing(t); missing != "" {
			t.Errorf("%s: %s", p.promise, missing)
		}
	}
}

func listed(table []proof, promise string) bool {
	return slices.ContainsFunc(table, func(p proof) bool { return p.promise == promise })
}

// missing tells what of a proof is not there.
func (p proof) missing(t *testing.T) string {
	t.Helper()
	path := filepath.Join("..", filepath.FromSlash(p.file))
	source, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if !strings.Contains(string(source), p.part) {
		return p.file + " has no " + p.part
	}
	if p.test == "" {
		return ""
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		return err.Error()
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == p.test {
			return ""
		}
	}
	return p.file + " has no " + p.test
}
