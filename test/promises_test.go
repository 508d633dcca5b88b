// Package test holds the index of promises: which test proves what the project says of itself.
package test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// promise is a sentence that users may rely on, and the test that fails when it does not hold.
type promise struct {
	text string
	pkg  string // folder of the test's package
	test string // name of the test function
}

// promises by subject. The error codes have no rows: the packages of v1, legacy and media fail where a documented answer is never given.
var promises = map[string][]promise{
	// The cross-field rules of the contract by number, and those that the decisions add.
	"guides": {
		{"1 at most one screening block, first", "internal/domain/guide", "TestOneScreeningBlockFirst"},
		{"2 screening asks multiple_choice alone", "internal/domain/guide", "TestScreeningAsksChoices"},
		{"2 status in screening, and there alone", "internal/domain/guide", "TestStatusInScreeningAlone"},
		{"3 conceptSamplingConfig in concept blocks", "internal/domain/guide", "TestConceptsInConceptBlocks"},
		{"4 externalIds are unique", "internal/domain/guide", "TestIDsUnique"},
		{"5 conditions reference earlier items", "internal/domain/guide", "TestConditionSources"},
		{"5 carryForwardFrom references an earlier multi-select item", "internal/domain/guide", "TestCarryForwardSources"},
		{"5 an empty reference names nothing", "internal/domain/guide", "TestEmptyReferences"},
		{"6 concept conditions reference earlier blocks", "internal/domain/guide", "TestConceptConditionSources"},
		{"7 minSelect and maxSelect", "internal/domain/guide", "TestSelectBounds"},
		{"8 exclusiveOption on the final option", "internal/domain/guide", "TestExclusiveIsFinal"},
		{"an item has options or carryForwardFrom", "internal/domain/guide", "TestOptionsOrCarryForward"},
		{"a condition on a matrix names one of its rows by its exact text", "internal/domain/guide", "TestMatrixRows"},
		{"choices are options of the source, through chains", "internal/domain/guide", "TestChoicesOfSource"},
		{"externalIds of options are unique within an item", "internal/domain/guide", "TestOptionIDsUnique"},
		{"minSelect is within the options", "internal/domain/guide", "TestMinSelectWithinOptions"},
		{"subsampleCount is within the concepts", "internal/domain/guide", "TestSubsampleWithinConcepts"},
	},
	"interviews": {
		{"a link to a study works with a slash at its end", "internal/api/pages", "TestTrailingSlash"},
		{"the preview of a link has only what participants see", "internal/api/pages", "TestLinkPreview"},
		{"a study's pages are framed by the sites that it names alone", "internal/api/pages", "TestFraming"},
		{"each item type is asked, answered and replayed", "internal/domain/interview", "TestScripts"},
		{"the moderator's words of the current step alone are read aloud", "internal/api/participant", "TestSpeech"},
		{"what the author keeps from services, and details of a person, are read aloud by none", "internal/service/speaking", "TestNeverSpoken"},
		{"sounds of questions stay within their bound", "internal/service/speaking", "TestEviction"},
		{"files are uploaded through the protocol", "internal/api/participant", "TestUploadsOfAnInterview"},
		{"files are uploaded without JavaScript", "internal/api/pages", "TestFilesByForm"},
		{"each error of an upload has its code", "internal/api/participant", "TestUploadErrors"},
		{"a study for some devices refuses the others", "internal/api/pages", "TestDevices"},
		{"nothing is read for who has no link and no token", "internal/api/pages", "TestNothingIsReadForStrangers"},
		{"large bodies take no more than their budget, and leave room for small ones", "internal/api/httpx", "TestTheSmallestAreServedLast"},
		{"a body of many values costs little more than its bytes", "internal/domain/strictjson", "TestParseSpendsLittle"},
		{"hostile texts are answered the same on both engines, and never with 500", "internal/api/server", "TestHostileRequests"},
		{"who answers a step that another device has answered is told whose answer stands", "internal/api/participant", "TestSupersededAnswers"},
		{"the same without JavaScript, with what was written", "internal/api/pages", "TestAnsweredElsewhere"},
		{"a follow-up comes with its conversation, and progress moves within a question", "internal/domain/interview", "TestConversation"},
		{"resuming says when an answer would be refused for want of credits", "internal/api/pages", "TestPageWithoutCredits"},
		{"the time that an interview takes is a range", "internal/domain/guide", "TestMinutesOfAnyGuide"},
	},
	"follow-ups": {
		{"a model reads the study, the instructions, the budget and what was said", "internal/service/moderator", "TestTheModelIsAsked"},
		{"a refused question is tried once more with the reason", "internal/service/moderator", "TestARefusedQuestionIsTriedOnceMore"},
		{"then the built-in moderator asks, or nobody", "internal/service/moderator", "TestARefusedModelIsReplaced"},
		{"where a model is slow, cut off, busy, down or wrong in shape, the built-in moderator stands in within 8 seconds", "internal/service/moderator", "TestTheBuiltInModeratorStandsIn"},
		{"the first words come in under 2 seconds where a model streams", "internal/service/moderator", "TestFirstWords"},
		{"a hostile participant cannot choose the model's words", "internal/service/moderator", "TestObedientModel"},
		{"200 interviews survive an outage of the model: all are finished", "internal/service/fieldwork", "TestOutage"},
		{"each decision is stored with its turn", "internal/service/fieldwork", "TestDecisionsAreLogged"},
		{"decisions are erased with their response", "internal/platform/store", "TestDecisions"},
		{"a prompt that was used never changes", "internal/service/moderator", "TestPromptsNeverChange"},
		{"1,000 interviews are replayed to equal hashes", "internal/service/maintenance", "TestReplayOfManyInterviews"},
		{"a replay names what differs from the log", "internal/service/maintenance", "TestReplayNamesWhatDiffers"},
		{"the moderation report counts", "internal/service/maintenance", "TestModerationReport"},
		{"replay and moderation report are commands", "cmd/verbatim", "TestReplayAndModerationReport"},
		{"the demo is moderated by the model that is configured", "cmd/verbatim", "TestDemoWithAModel"},
	},
	"questions of the data": {
		{"an answer has only sentences that its quotes prove, and no number that nobody counted", "internal/service/asking", "TestAnswered"},
		{"what nobody speaks of is declined", "internal/service/asking", "TestDeclined"},
		{"without a model the best passages are the answer", "internal/service/asking", "TestPassages"},
		{"answers that tell the model what to say change nothing", "internal/service/asking", "TestInjection"},
		{"names' parameters, addresses and numbers are not sent", "internal/service/asking", "TestPrivateDetailsStay"},
		{"nothing is found of other organizations, of what is hidden, deleted or under way", "internal/service/asking", "TestScope"},
		{"a deleted response leaves no word in the index", "internal/platform/store", "TestIndexOfSQLiteKeepsNoDeletedWord"},
		{"programs of the latest release remove what they do not know of", "internal/platform/store", "TestEarlierProgramsRemovePassages"},
		{"a question finds answers in all languages of the interface", "internal/domain/textanalysis", "TestQueryFindsAnswers"},
		{"the demo's study answers what its interviews say, and declines the rest", "cmd/verbatim", "TestStudyAsk"},
	},
	"speech": {
		{"a real voice is understood, and the provider's key is in no log", "test/speech", "TestRealSpeech"},
		{"silence is no speech, however loud", "internal/domain/transcript", "TestSpeechProperties"},
		{"silence is never sent, and nothing is invented", "internal/service/transcription", "TestNothingIsInvented"},
		{"two requests for one transcript pay once", "internal/service/transcription", "TestTwoAtOnce"},
		{"without a provider participants type", "internal/service/transcription", "TestNobodyHears"},
		{"what is only spoken becomes the answer's text", "internal/service/transcription", "TestRun"},
		{"what was typed stays", "internal/service/transcription", "TestTypedTextStays"},
		{"an analysis is written again when a transcript arrives", "internal/service/analysis", "TestTranscribedWords"},
		{"transcripts are erased", "internal/platform/store", "TestTranscriptsGo"},
	},
	"translations": {
		{"a language is offered once its texts are approved", "internal/service/fieldwork", "TestWelcomeAndLinks"},
		{"every text of the page has an intent to translate by", "internal/api/locale", "TestEveryTextHasAnIntent"},
		{"what participants read is translated, and nothing else", "internal/domain/translation", "TestSegments"},
		{"a translation is only read: the log and the documents do not depend on it", "internal/service/fieldwork", "TestTheSameInEveryLanguage"},
		{"nothing is shown before a person approved it", "internal/service/fieldwork", "TestParticipantsReadTheirLanguage"},
		{"unless machines are trusted", "internal/service/translator", "TestMachinesMayBeTrusted"},
		{"missing, unknown and swapped texts, lost numbers and wrong languages are refused", "internal/service/translator", "TestFaultyTranslationsAreRefused"},
		{"instructions in a guide are translated, not followed", "internal/service/translator", "TestInstructionsInGuidesAreTranslated"},
		{"a revision asks for what changed alone", "internal/service/translator", "TestRevisionAsksForWhatChanged"},
		{"people can translate without a model", "cmd/verbatim", "TestTranslateByHand"},
		{"answers keep the original beside a translation", "internal/service/translator", "TestAnswersAreTranslated"},
		{"translations of answers are erased", "internal/service/translator", "TestAnswersGoWithTheirResponse"},
		{"the page is translated without JavaScript", "internal/api/pages", "TestPagesAreTranslated"},
		{"the protocol is translated", "internal/api/participant", "TestProtocolIsTranslated"},
		{"a launch asks for the translations", "internal/service/authoring", "TestLaunchAsksForTranslations"},
	},
	"analyses": {
		{"quotes that nobody said are refused", "internal/domain/evidence", "TestPlantedQuotesAreRefused"},
		{"true quotes are kept", "internal/domain/evidence", "TestTrueQuotesAreKept"},
		{"numbers are counted or quoted", "internal/domain/statement", "TestNumbers"},
		{"a model's statement rests on a quote or is dropped", "internal/service/analysis", "TestWhatDoesNotHoldIsDropped"},
		{"where too little holds the built-in analyst's part is shown", "internal/service/analysis", "TestTooLittleHolds"},
		{"a model that fails is asked again, and in the end the built-in analyst writes", "internal/service/analysis", "TestBuiltInAnalystWritesInTheEnd"},
		{"long interviews are cut by turns", "internal/service/analysis", "TestLongInterviewsAreCutByTurns"},
		{"participants cannot give a model orders", "internal/service/analysis", "TestObedientModel"},
		{"the built-in analyst's claims carry their evidence", "internal/domain/textanalysis", "TestClaimsCarryTheirEvidence"},
		{"an operator reads claims, evidence and reasons", "cmd/verbatim", "TestResponseShow"},
		{"spelling, grammar and level of language do not change a score", "internal/domain/textanalysis", "TestLanguageIsNotScored"},
		{"assistive technology does not change a score", "internal/domain/textanalysis", "TestHelpIsNotHeldAgainstAnybody"},
		{"the same interview has the same score", "internal/domain/textanalysis", "TestSameInterviewSameScore"},
		{"equal answers of several responses are found", "internal/service/analysis", "TestCopiesAreFound"},
		{"telemetry is kept with the answer and erased with it", "internal/api/participant", "TestTelemetry"},
	},
	"reports": {
		{"counts are those of the answers", "internal/service/reporting", "TestCountsAreThoseOfTheAnswers"},
		{"every number of a sentence stands in a table", "internal/service/reporting", "TestEveryNumberStandsInATable"},
		{"quotes of themes stand in the answers", "internal/service/reporting", "TestQuotesStandInTheAnswers"},
		{"a model's false quotes are refused", "internal/service/reporting", "TestFalseQuotesAreRefused"},
		{"responses are not held in memory", "internal/service/reporting", "TestResponsesAreNotHeld"},
		{"what people change in themes is counted in the next reports", "internal/service/reporting", "TestEditedThemes"},
		{"of two edits of themes at once none is lost", "internal/service/reporting", "TestConcurrentEdits"},
		{"a deletion takes stored reports and machine-made themes with it", "internal/service/reporting", "TestReportInTheBackground"},
		{"a report in the background is made once, and begins again after a crash", "internal/service/reporting", "TestReportInTheBackground"},
		{"known utilities are found, and intervals cover them", "internal/domain/maxdiff", "TestRecovery"},
		{"utilities without a bound are reported and bounded", "internal/domain/maxdiff", "TestSeparationIsToldAndBounded"},
		{"shares of preference sum to 100.0", "internal/domain/maxdiff", "TestHundred"},
		{"answers at random are flagged and unusual tastes are not", "internal/domain/maxdiff", "TestAnswersAtRandomAreFlaggedAndTastesAreNot"},
		{"honest people are not accused", "internal/domain/maxdiff", "TestHonestPeopleAreNotNamed"},
		{"individual utilities are those of another estimator", "internal/domain/maxdiff", "TestIndividualUtilitiesAreThoseOfAnotherEstimator"},
		{"the numbers are computed again by other ways", "internal/service/reporting", "TestNumbersAreComputedAgain"},
		{"weighted numbers are computed again", "internal/service/reporting", "TestWeightsAreComputedAgain"},
		{"false differences are stated no more often than tests at 5 % may", "internal/service/reporting", "TestNoFalseFindings"},
		{"designs are balanced, and carry estimates", "internal/domain/maxdiff", "TestDesignsCarryEstimates"},
	},
}

// TestEveryPromiseHasItsTest fails when a test that the index names is gone or was renamed. That the tests pass is for the tests.
func TestEveryPromiseHasItsTest(t *testing.T) {
	t.Parallel()
	declared := map[string]map[string]bool{}
	for subject, rows := range promises {
		for _, p := range rows {
			if declared[p.pkg] == nil {
				declared[p.pkg] = testsOf(t, filepath.Join("..", filepath.FromSlash(p.pkg)))
			}
			if !declared[p.pkg][p.test] {
				t.Errorf("%s: %q is proved by %s, which %s does not have; name the test that proves it", subject, p.text, p.test, p.pkg)
			}
		}
	}
}

// testsOf returns the names of a package's test functions.
func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				names[f.Name.Name] = true
			}
		}
	}
	return names
}
