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

	"verbatim/internal/domain/guide"
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
	{"busy", "internal/api/v1/errors_test.go", "TestErrors", `"busy"`},
	{"service_unavailable", "internal/api/v1/outage_test.go", "TestOutages", `"service_unavailable"`},
	{"invalid_link", "internal/api/media/media_test.go", "TestRefused", `"invalid_link"`},
	{"expired_link", "internal/api/media/media_test.go", "TestRefused", `"expired_link"`},
	{"internal_error", "internal/api/v1/errors_test.go", "TestErrors", `"internal_error"`},
	{"upload_not_found", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"upload_not_found"`},
	{"upload_gone", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"upload_gone"`},
	{"offset_conflict", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"offset_conflict"`},
	{"upload_incomplete", "internal/api/participant/transcript_test.go", "TestTranscriptErrors", `"upload_incomplete"`},
	{"upload_in_use", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"upload_in_use"`},
	{"upload_quota_exceeded", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"upload_quota_exceeded"`},
	{"device_not_supported", "internal/api/participant/devices_test.go", "TestDevices", `"device_not_supported"`},
	{"upload_not_expected", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"upload_not_expected"`},
	{"upload_locked", "internal/api/participant/uploads_test.go", "TestUploadsFindNoRoom", `"upload_locked"`},
	{"too_many_open_uploads", "internal/api/participant/uploads_test.go", "TestUploadsFindNoRoom", `"too_many_open_uploads"`},
	{"insufficient_storage", "internal/api/participant/uploads_test.go", "TestUploadsFindNoRoom", `"insufficient_storage"`},
	{"interview_ended", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"interview_ended"`},
	{"unsupported_version", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"unsupported_version"`},
	{"unsupported_media_type", "internal/api/participant/uploads_test.go", "TestUploadErrors", `"unsupported_media_type"`},
}

// rules are the cross-field rules of the contract, by number, and those that the decisions add.
var rules = []proof{
	{"1 at most one screening block, first", "internal/domain/guide/rules_blocks_test.go", "TestOneScreeningBlockFirst", ""},
	{"2 screening asks multiple_choice alone", "internal/domain/guide/rules_blocks_test.go", "TestScreeningAsksChoices", ""},
	{"2 status in screening, and there alone", "internal/domain/guide/rules_blocks_test.go", "TestStatusInScreeningAlone", ""},
	{"3 conceptSamplingConfig in concept blocks", "internal/domain/guide/rules_blocks_test.go", "TestConceptsInConceptBlocks", ""},
	{"4 externalIds unique", "internal/domain/guide/rules_blocks_test.go", "TestIDsUnique", ""},
	{"5 conditions reference earlier items", "internal/domain/guide/rules_references_test.go", "TestConditionSources", ""},
	{"5 carryForwardFrom references an earlier multi-select item", "internal/domain/guide/rules_references_test.go", "TestCarryForwardSources", ""},
	{"5 an empty reference names nothing", "internal/domain/guide/rules_references_test.go", "TestEmptyReferences", ""},
	{"6 concept conditions reference earlier blocks", "internal/domain/guide/rules_references_test.go", "TestConceptConditionSources", ""},
	{"7 minSelect and maxSelect", "internal/domain/guide/rules_selection_test.go", "TestSelectBounds", ""},
	{"8 exclusiveOption on the final option", "internal/domain/guide/rules_selection_test.go", "TestExclusiveIsFinal", ""},
	{"options or carryForwardFrom", "internal/domain/guide/rules_references_test.go", "TestOptionsOrCarryForward", ""},
	{"matrixRow", "internal/domain/guide/rules_references_test.go", "TestMatrixRows", ""},
	{"choices are options of the source, through chains", "internal/domain/guide/rules_references_test.go", "TestChoicesOfSource", ""},
	{"option externalIds unique within an item", "internal/domain/guide/rules_blocks_test.go", "TestOptionIDsUnique", ""},
	{"minSelect within the options", "internal/domain/guide/rules_selection_test.go", "TestMinSelectWithinOptions", ""},
	{"subsampleCount within the concepts", "internal/domain/guide/rules_blocks_test.go", "TestSubsampleWithinConcepts", ""},
}

// items are the item types, each run by the engine's scripts and shown at the participant's door.
var items = []proof{
	{string(guide.OpenEnded), "internal/domain/interview/testdata/open_ended.txt", "", "open_ended"},
	{string(guide.MultipleChoice), "internal/domain/interview/testdata/multiple_choice.txt", "", "multiple_choice"},
	{string(guide.Ranking), "internal/domain/interview/testdata/ranking.txt", "", "ranking"},
	{string(guide.Matrix), "internal/domain/interview/testdata/matrix.txt", "", "matrix"},
	{string(guide.MaxDiff), "internal/domain/interview/testdata/max_diff.txt", "", "max_diff"},
	{string(guide.Statement), "internal/domain/interview/testdata/statement_upload.txt", "", "statement"},
	{string(guide.FileUpload), "internal/domain/interview/testdata/statement_upload.txt", "", "file_upload"},
	{"file_upload at the participant's door", "internal/api/participant/uploads_test.go", "TestUploadsOfAnInterview", ""},
	{"file_upload without JavaScript", "internal/api/participant/files_test.go", "TestFilesByForm", ""},
}

// speech is what is promised of the words that are heard.
var speech = []proof{
	{"a real voice is understood", "test/speech/speech_test.go", "TestRealSpeech", "0.25"},
	{"a real voice is understood through the page", "test/browser/speech.mjs", "", "0.25"},
	{"silence is no speech, however loud", "internal/domain/transcript/voice_detector_test.go", "TestSpeechProperties", ""},
	{"silence is never sent, and nothing is invented", "internal/service/transcription/transcription_test.go", "TestNothingIsInvented", ""},
	{"two who ask at once pay once", "internal/service/transcription/transcription_test.go", "TestTwoAtOnce", ""},
	{"without a provider participants type", "internal/service/transcription/transcription_test.go", "TestNobodyHears", `"no provider"`},
	{"what is only spoken becomes the answer's text", "internal/service/transcription/job_test.go", "TestRun", ""},
	{"what was typed stays", "internal/service/transcription/job_test.go", "TestTypedTextStays", ""},
	{"an analysis is written again with the words", "internal/service/analysis/worker_test.go", "TestHeardWords", ""},
	{"transcripts are erased", "internal/platform/store/transcript_test.go", "TestTranscriptsGo", ""},
	{"the key is in no log", "test/speech/speech_test.go", "serve", "never-logged"},
}

// translated is what is promised of studies in other languages than their own.
var translated = []proof{
	{"what participants read is translated, and nothing else", "internal/domain/translation/segment_test.go", "TestSegments", ""},
	{"a translation is only read: the log and the documents know nothing of it", "internal/service/fieldwork/localized_guide_test.go", "TestTheSameInEveryLanguage", ""},
	{"nothing is shown before a person approved it", "internal/service/fieldwork/localized_guide_test.go", "TestParticipantsReadTheirLanguage", ""},
	{"unless machines are trusted", "internal/service/translator/translating_test.go", "TestMachinesMayBeTrusted", ""},
	{"missing, unknown and swapped texts, lost numbers and wrong languages are refused", "internal/service/translator/translating_test.go", "TestFaultyTranslationsAreRefused", `"swapped options"`},
	{"instructions in a guide are translated, not followed", "internal/service/translator/translating_test.go", "TestInstructionsInGuidesAreTranslated", ""},
	{"a revision asks for what changed alone", "internal/service/translator/translating_test.go", "TestRevisionAsksForWhatChanged", ""},
	{"people can translate without a model", "cmd/verbatim/translate_test.go", "TestTranslateByHand", ""},
	{"answers keep the original beside a translation", "internal/service/translator/answers_test.go", "TestAnswersAreTranslated", ""},
	{"translations of answers are erased", "internal/service/translator/answers_test.go", "TestAnswersGoWithTheirResponse", ""},
	{"the page is translated without JavaScript", "internal/api/participant/translated_test.go", "TestPagesAreTranslated", ""},
	{"the protocol is translated", "internal/api/participant/translated_test.go", "TestProtocolIsTranslated", ""},
	{"a launch asks for the translations", "internal/service/authoring/launch_test.go", "TestLaunchAsksForTranslations", ""},
}

// analysed is what is promised of analyses.
var analysed = []proof{
	{"quotes that nobody said are refused", "internal/domain/evidence/planted_test.go", "TestPlantedQuotesAreRefused", "500"},
	{"true quotes are kept", "internal/domain/evidence/planted_test.go", "TestTrueQuotesAreKept", "500"},
	{"numbers are counted or quoted", "internal/domain/evidence/find_test.go", "TestNumbers", ""},
	{"a statement of a model's stands on a quote or is dropped", "internal/service/analysis/model_test.go", "TestWhatDoesNotHoldIsDropped", ""},
	{"where too little holds the built-in analyst's part is shown", "internal/service/analysis/model_test.go", "TestTooLittleHolds", ""},
	{"a model that fails is asked again, and in the end the built-in analyst writes", "internal/service/analysis/fallback_test.go", "TestBuiltInAnalystWritesInTheEnd", ""},
	{"long interviews are cut by turns", "internal/service/analysis/model_test.go", "TestLongInterviewsAreCutByTurns", ""},
	{"participants give a model no orders", "internal/service/analysis/hostile_test.go", "TestObedientModel", ""},
	{"the built-in analyst's claims carry their evidence", "internal/domain/textanalysis/fair_test.go", "TestClaimsCarryTheirEvidence", ""},
	{"an operator reads claims, evidence and reasons", "cmd/verbatim/response_test.go", "TestResponseShow", ""},
	{"spelling, grammar and level of language move no score", "internal/domain/textanalysis/fair_test.go", "TestLanguageIsNotScored", ""},
	{"assistive technology moves no score", "internal/domain/textanalysis/parts_test.go", "TestHelpIsNotHeldAgainstAnybody", ""},
	{"the same interview has the same score", "internal/domain/textanalysis/fair_test.go", "TestSameInterviewSameScore", ""},
	{"equal answers of several responses are found", "internal/service/analysis/fallback_test.go", "TestCopiesAreFound", ""},
	{"telemetry is kept with the answer and erased with it", "internal/api/participant/telemetry_test.go", "TestTelemetry", ""},
}

// reported is what is promised of reports on a study.
var reported = []proof{
	{"counts are those of the answers", "internal/service/reporting/reporting_test.go", "TestCountsAreThoseOfTheAnswers", ""},
	{"every number of a sentence stands in a table", "internal/service/reporting/reporting_test.go", "TestEveryNumberStandsInATable", ""},
	{"quotes of themes stand in the answers", "internal/service/reporting/reporting_test.go", "TestQuotesStandInTheAnswers", ""},
	{"a model's false quotes are refused", "internal/service/reporting/reporting_test.go", "TestFalseQuotesAreRefused", ""},
	{"responses are not held in the memory", "internal/service/reporting/reporting_test.go", "TestResponsesAreNotHeld", ""},
	{"known utilities are found, and intervals hold them", "internal/domain/maxdiff/estimate_test.go", "TestRecovery", "0.98"},
	{"utilities without a bound are told and held", "internal/domain/maxdiff/estimate_test.go", "TestSeparationIsToldAndBounded", ""},
	{"shares of preference sum to 100.0", "internal/domain/maxdiff/estimate_test.go", "TestHundred", ""},
	{"answers at random are flagged and unusual tastes are not", "internal/domain/maxdiff/person_test.go", "TestAnswersAtRandomAreFlaggedAndTastesAreNot", ""},
	{"designs are balanced, and carry estimates", "internal/domain/maxdiff/estimate_test.go", "TestDesignsCarryEstimates", "40"},
}

// moderated is what is promised of follow-ups.
var moderated = []proof{
	{"a model is told the study, the instructions, the budget and what was said", "internal/service/moderator/model_test.go", "TestTheModelIsAsked", ""},
	{"a refused question is tried once more with the reason", "internal/service/moderator/model_test.go", "TestARefusedQuestionIsTriedOnceMore", ""},
	{"then the built-in moderator asks, or nobody", "internal/service/moderator/model_test.go", "TestARefusedModelIsReplaced", ""},
	{"slow, cut off, busy, down, wrong in shape: the built-in moderator stands in within 8 seconds", "internal/service/moderator/model_test.go", "TestTheBuiltInModeratorStandsIn", `"slow"`},
	{"the first words come in under 2 seconds where a model streams", "internal/service/moderator/model_test.go", "TestFirstWords", "2*time.Second"},
	{"a hostile participant gets nothing said", "internal/service/moderator/hostile_test.go", "TestObedientModel", ""},
	{"an outage in the middle of 200 interviews: all are finished", "internal/service/fieldwork/outage_test.go", "TestOutage", "200"},
	{"each decision is stored with its turn", "internal/service/fieldwork/decision_test.go", "TestDecisionsAreLogged", ""},
	{"decisions are erased with their response", "internal/platform/store/decision_test.go", "TestDecisions", "remove("},
	{"a prompt that was used never changes", "internal/service/moderator/model_test.go", "TestPromptsNeverChange", ""},
	{"1,000 interviews are replayed to equal hashes", "internal/service/maintenance/replay_test.go", "TestReplayOfManyInterviews", "1000"},
	{"what differs from the log is named", "internal/service/maintenance/replay_test.go", "TestReplayNamesWhatDiffers", ""},
	{"the report card counts", "internal/service/maintenance/moderation_test.go", "TestCard", ""},
	{"both as commands", "cmd/verbatim/replay_test.go", "TestReplayAndCard", ""},
	{"nothing is read for who has no link and no token", "internal/api/participant/bodies_test.go", "TestNothingIsReadForStrangers", ""},
	{"large bodies take no more than their budget, and leave room for small ones", "internal/api/httpx/budget_test.go", "TestTheSmallestAreServedLast", ""},
	{"a body of many values costs little more than its bytes", "internal/domain/strictjson/parse_test.go", "TestParseSpendsLittle", ""},
	{"hostile texts answer the same on both engines, and never 500", "internal/api/server/hostile_test.go", "TestHostileRequests", ""},
	{"the demo is moderated by the model that is named", "cmd/verbatim/demo_model_test.go", "TestDemoWithAModel", ""},
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
	for _, p := range slices.Concat(codes, rules, items, translated, speech, analysed, reported, moderated) {
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
