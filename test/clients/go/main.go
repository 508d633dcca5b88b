// Command clients runs a complete study with clients that oapi-codegen generated from the contract files: it creates and launches a
// study with every type of item, takes an interview to its end, reads it back and deletes it. run.mjs generates the packages
// v1, legacy and participant beside this file in a temporary folder, and starts the server.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"clients/legacy"
	"clients/participant"
	"clients/v1"
)

func main() {
	log.SetFlags(0)
	if err := run(context.Background(), os.Getenv("ORIGIN"), os.Getenv("KEY")); err != nil {
		log.Fatal(err)
	}
}

const source = "oapi-codegen"

func run(ctx context.Context, origin, key string) error {
	auth := func(_ context.Context, r *http.Request) error {
		r.Header.Set("x-api-key", key)
		return nil
	}
	api, err := v1.NewClientWithResponses(origin, v1.WithRequestEditorFn(auth))
	if err != nil {
		return err
	}
	refused, err := api.CreateStudyWithResponse(ctx, nil, v1.StudyGuide{StudyGuide: []v1.Block{}})
	if err != nil {
		return err
	}
	if refused.JSON400 == nil || refused.JSON400.Code != v1.CreateStudy400JSONResponseBodyCodeInvalidRequestBody || len(*refused.JSON400.Issues) != 2 {
		return fmt.Errorf("an empty guide answers %s", refused.Body)
	}
	study, err := guide()
	if err != nil {
		return err
	}
	created, err := api.CreateStudyWithResponse(ctx, &v1.CreateStudyParams{IdempotencyKey: new("go")}, study)
	if err != nil {
		return err
	}
	if created.JSON201 == nil {
		return fmt.Errorf("create answers %s", created.Body)
	}
	launched, err := api.LaunchStudyWithResponse(ctx, created.JSON201.Id, nil, v1.LaunchRequest{})
	if err != nil {
		return err
	}
	if launched.JSON200 == nil || launched.JSON200.Wallet == nil {
		return fmt.Errorf("launch answers %s", launched.Body)
	}
	wallets, err := api.ListWalletsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	if wallets.JSON200 == nil || wallets.JSON200.Wallets[0].WalletId != launched.JSON200.Wallet.WalletId {
		return fmt.Errorf("the wallets are %s", wallets.Body)
	}
	if err := questions(ctx, api, created.JSON201.LinkId); err != nil {
		return err
	}
	if err := interview(ctx, origin, created.JSON201.LinkId); err != nil {
		return err
	}
	if err := legacyReads(ctx, origin, created.JSON201.LinkId, auth); err != nil {
		return err
	}
	return readAndDelete(ctx, api, *created.JSON201)
}

// guide has every type of block, item and criterion.
func guide() (v1.StudyGuide, error) {
	option := func(text string) v1.Option { return v1.Option{Text: text} }
	var first, second v1.Criterion
	if err := first.FromSelectedOptionsCriterion(v1.SelectedOptionsCriterion{
		QuestionId: "services", MatchingCriteria: v1.SelectedOptionsCriterionMatchingCriteriaMustSelect, Choices: []string{"kit"},
	}); err != nil {
		return v1.StudyGuide{}, err
	}
	if err := second.FromSearchParamCriterion(v1.SearchParamCriterion{Parameter: "source", Value: source}); err != nil {
		return v1.StudyGuide{}, err
	}
	flat := make([]v1.Item, 6)
	for i, set := range []func(*v1.Item) error{
		func(item *v1.Item) error {
			return item.FromStatementItem(v1.StatementItem{Text: "Please think of the last months.", ContinueButtonText: new("I am ready")})
		},
		func(item *v1.Item) error {
			return item.FromMultipleChoiceItem(v1.MultipleChoiceItem{
				Text: "Which have you used?", ExternalId: new("services"), MultiSelect: new(true), MinSelect: new(int32(1)), MaxSelect: new(int32(2)),
				Options: &[]v1.Option{{Text: "A meal kit", ExternalId: new("kit")}, option("Groceries"), {Text: "None", ExclusiveOption: new(true)}},
			})
		},
		func(item *v1.Item) error {
			return item.FromRankingItem(v1.RankingItem{Text: "Rank them.", Options: &[]v1.Option{option("Price"), option("Taste"), option("Time")}})
		},
		func(item *v1.Item) error {
			return item.FromOpenEndedItem(v1.OpenEndedItem{
				Text: "Why did you choose it?", FollowUp: new(v1.OpenEndedItemFollowUpLight), PreferredInput: new(v1.OpenEndedItemPreferredInputText),
				Conditional: &v1.Conditional{Operator: v1.ConditionalOperatorAnd, Criteria: []v1.Criterion{first, second}},
			})
		},
		func(item *v1.Item) error {
			return item.FromMatrixItem(v1.MatrixItem{
				Text: "How would you rate it?", Options: []v1.Option{option("Poor"), option("Good")}, Rows: []struct {
					Text string `json:"text"`
				}{{"Price"}, {"Taste"}},
			})
		},
		func(item *v1.Item) error {
			return item.FromMaxDiffItem(v1.MaxDiffItem{
				Text: "What matters most, and what least?", ItemsPerScreen: new(v1.MaxDiffItemItemsPerScreen(3)),
				Options: []v1.Option{option("Price"), option("Recipes"), option("Boxes"), option("Days")},
			})
		},
	} {
		if err := set(&flat[i]); err != nil {
			return v1.StudyGuide{}, err
		}
	}
	var screener, reaction v1.Item
	if err := screener.FromMultipleChoiceItem(v1.MultipleChoiceItem{Text: "Who cooks?", Options: &[]v1.Option{
		{Text: "I do", Status: new(v1.OptionStatusApprove)}, {Text: "Someone else", Status: new(v1.OptionStatusReject)},
	}}); err != nil {
		return v1.StudyGuide{}, err
	}
	if err := reaction.FromOpenEndedItem(v1.OpenEndedItem{Text: "What do you think of it?", FollowUp: new(v1.OpenEndedItemFollowUpNone)}); err != nil {
		return v1.StudyGuide{}, err
	}
	concept := v1.GuideConcept{Nickname: "A"}
	concept.Content.Title = "Snooze"
	return v1.StudyGuide{
		Title: "Meal kits, by oapi-codegen", Config: &v1.Config{InterviewMode: new(v1.ConfigInterviewModeText)},
		StudyGuide: []v1.Block{
			{Type: v1.BlockTypeScreening, Items: []v1.Item{screener}},
			{Type: v1.BlockTypeFlat, Items: flat},
			{Type: v1.BlockTypeConcept, Items: []v1.Item{reaction}, ConceptSamplingConfig: &v1.ConceptSampling{Concepts: &[]v1.GuideConcept{concept}}},
		},
	}, nil
}

func questions(ctx context.Context, api *v1.ClientWithResponses, linkID string) error {
	listed, err := api.ListQuestionsWithResponse(ctx, linkID, nil)
	if err != nil {
		return err
	}
	if listed.JSON200 == nil {
		return fmt.Errorf("the questions are %s", listed.Body)
	}
	var kinds []string
	for _, question := range listed.JSON200.Questions {
		value, err := question.ValueByDiscriminator()
		if err != nil {
			return err
		}
		switch value := value.(type) {
		case v1.MultipleChoiceQuestion:
			kinds = append(kinds, fmt.Sprintf("choice of %d", len(value.Options)))
		case v1.MatrixQuestion:
			kinds = append(kinds, fmt.Sprintf("matrix of %d", len(value.Rows)))
		case v1.MaxDiffQuestion:
			kinds = append(kinds, fmt.Sprintf("max_diff by %d", value.ItemsPerScreen))
		default:
			kinds = append(kinds, strings.TrimPrefix(fmt.Sprintf("%T", value), "v1."))
		}
	}
	const want = "choice of 2, StatementQuestion, choice of 3, RankingQuestion, OpenEndedQuestion, matrix of 2, max_diff by 3, OpenEndedQuestion"
	if got := strings.Join(kinds, ", "); got != want {
		return fmt.Errorf("the questions are %s", got)
	}
	return nil
}

func interview(ctx context.Context, origin, linkID string) error {
	client, err := participant.NewClientWithResponses(origin)
	if err != nil {
		return err
	}
	begun, err := client.BeginInterviewWithResponse(ctx, linkID, &participant.BeginInterviewParams{Params: &map[string]string{"source": source}}, participant.BeginRequest{})
	if err != nil {
		return err
	}
	if begun.JSON201 == nil {
		return fmt.Errorf("begin answers %s", begun.Body)
	}
	if location := begun.HTTPResponse.Header.Get("Location"); location != "/i/"+begun.JSON201.Token {
		return fmt.Errorf("the interview is at %s", location)
	}
	asked := map[participant.QuestionType]bool{}
	probed := false
	for step := begun.JSON201.Step; step.Kind != participant.StepKindComplete; {
		if step.StepId == nil || step.Question == nil {
			return fmt.Errorf("the interview ended at %s", step.Kind)
		}
		asked[step.Question.Type] = true
		probed = probed || step.Kind == participant.StepKindFollowUp
		answered, err := client.AnswerStepWithResponse(ctx, begun.JSON201.Token, answer(step))
		if err != nil {
			return err
		}
		if answered.JSON200 == nil {
			return fmt.Errorf("the answer to %s is refused: %s", *step.StepId, answered.Body)
		}
		step = answered.JSON200.Step
	}
	if len(asked) != 6 || !probed {
		return fmt.Errorf("asked were %v, a follow-up %t", asked, probed)
	}
	stale, err := client.AnswerStepWithResponse(ctx, begun.JSON201.Token, participant.Answer{StepId: "never"})
	if err != nil {
		return err
	}
	if stale.JSON409 == nil || stale.JSON409.Code != participant.AnswerConflictCodeStaleStep || stale.JSON409.Step == nil {
		return fmt.Errorf("a stale step answers %s", stale.Body)
	}
	return nil
}

func answer(step participant.Step) participant.Answer {
	given := participant.Answer{StepId: *step.StepId}
	question := step.Question
	var ids []string
	if question.Options != nil {
		for _, option := range *question.Options {
			ids = append(ids, option.Id)
			if option.Id == "kit" {
				ids[0], ids[len(ids)-1] = option.Id, ids[0]
			}
		}
	}
	switch question.Type {
	case participant.QuestionTypeOpenEnded:
		given.Text = new("It was easy and saved us time.")
	case participant.QuestionTypeMultipleChoice:
		given.Selected = new(ids[:1])
	case participant.QuestionTypeRanking:
		given.Ranking = &ids
	case participant.QuestionTypeMatrix:
		cells := map[string]string{}
		for _, row := range *question.Rows {
			cells[row.Id] = (*question.Columns)[0].Id
		}
		given.Cells = &cells
	case participant.QuestionTypeMaxDiff:
		given.Best, given.Worst = &ids[0], &ids[1]
	}
	return given
}

func legacyReads(ctx context.Context, origin, linkID string, auth legacy.RequestEditorFn) error {
	api, err := legacy.NewClientWithResponses(origin, legacy.WithRequestEditorFn(auth))
	if err != nil {
		return err
	}
	listed, err := api.LegacyListResponsesWithResponse(ctx, linkID, &legacy.LegacyListResponsesParams{PerPage: new(int32(5))})
	if err != nil {
		return err
	}
	if listed.JSON200 == nil || len(*listed.JSON200) != 1 || (*listed.JSON200)[0].Attributes["source"] != source {
		return fmt.Errorf("the legacy list is %s", listed.Body)
	}
	single, err := api.LegacyGetResponseWithResponse(ctx, linkID, "1", nil)
	if err != nil {
		return err
	}
	if single.JSON200 == nil || single.JSON200.Transcript[0].DiscussionGuideQuestionId != "" {
		return fmt.Errorf("the legacy response is %s", single.Body)
	}
	return nil
}

func readAndDelete(ctx context.Context, api *v1.ClientWithResponses, study v1.CreatedStudy) error {
	found, err := api.SearchResponsesWithResponse(ctx, &v1.SearchResponsesParams{Parameter: "source", Value: source})
	if err != nil {
		return err
	}
	if found.JSON200 == nil || len(found.JSON200.Results) != 1 {
		return fmt.Errorf("the search finds %s", found.Body)
	}
	hit := found.JSON200.Results[0]
	listed, err := api.ListResponsesWithResponse(ctx, study.LinkId, &v1.ListResponsesParams{PerPage: new(int32(10)), IncludeInProgress: new(true)})
	if err != nil {
		return err
	}
	if listed.JSON200 == nil || (*listed.JSON200)[0].Id != hit.ResponseId || (*listed.JSON200)[0].Progress != v1.ProgressComplete {
		return fmt.Errorf("the list is %s", listed.Body)
	}
	single, err := api.GetResponseWithResponse(ctx, study.LinkId, hit.ResponseId.String(), nil)
	if err != nil {
		return err
	}
	if single.JSON200 == nil || !single.JSON200.Transcript[6].IsFollowUp {
		return fmt.Errorf("the response is %s", single.Body)
	}
	deleted, err := api.DeleteResponseWithResponse(ctx, &v1.DeleteResponseParams{StudyId: study.Id, ResponseId: hit.ResponseId})
	if err != nil {
		return err
	}
	if deleted.JSON202 == nil {
		return fmt.Errorf("the deletion answers %s", deleted.Body)
	}
	record, err := api.GetDeletionWithResponse(ctx, deleted.JSON202.DeletionId, nil)
	if err != nil {
		return err
	}
	if record.JSON200 == nil || record.JSON200.ResponseId != hit.ResponseId {
		return fmt.Errorf("the deletion is %s", record.Body)
	}
	gone, err := api.GetResponseWithResponse(ctx, study.LinkId, hit.ResponseId.String(), nil)
	if err != nil {
		return err
	}
	if gone.JSON404 == nil || gone.JSON404.Code != v1.GetResponse404JSONResponseBodyCodeResponseNotFound {
		return fmt.Errorf("the deleted response answers %s", gone.Body)
	}
	return nil
}
