package translator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Service translates guides and answers. It is safe for concurrent use.
type Service struct {
	Store       *store.Store
	Model       llm.ChatModel // nil: only people translate
	AutoApprove bool          // translations made from now on are shown before anybody has approved them
	Log         *slog.Logger
}

// Attempts and Backoff are for the runner of these jobs: ten attempts over about four hours.
const (
	Attempts = 10
	Backoff  = 30 * time.Second
)

// ErrOtherLanguage means that a study is not offered in a language.
var ErrOtherLanguage = errors.New("the study is not offered in this language")

// Run does one job: the translation of a guide, or of the answers of a response. It is safe to run again, and continues with what
// is left. If the day's ceiling is reached, the job is enqueued for the next day.
func (s *Service) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "translator.Run")
	work, err := jobs.DecodeTranslate(job)
	if err == nil {
		err = s.work(ctx, work)
	}
	if full, ok := errors.AsType[*usage.CeilingError](err); ok && full.Of == "day" {
		return s.Store.Write(ctx, func(tx *store.Tx) error {
			return jobs.EnqueueAt(ctx, tx, work, tx.Now().Truncate(24*time.Hour).Add(24*time.Hour+afterMidnight))
		})
	}
	return err
}

// afterMidnight leaves the first minutes of a day's ceiling to people who are waiting.
const afterMidnight = 10 * time.Minute

func (s *Service) work(ctx context.Context, work jobs.TranslateArgs) error {
	if work.ResponseID != "" {
		if err := s.answers(ctx, work.ResponseID); err != nil {
			return fmt.Errorf("translating the answers of response %s: %w", work.ResponseID, err)
		}
		return nil
	}
	of, err := s.Store.View().OperatorStudy(ctx, work.StudyID)
	if errors.Is(err, study.ErrNotFound) {
		return nil
	}
	if err == nil {
		_, err = s.Translate(ctx, of, work.Revision, work.Language, false)
	}
	if err != nil {
		return fmt.Errorf("translating study %s into %s: %w", work.StudyID, work.Language, err)
	}
	return nil
}

// Revision returns the revision of a study that a translation is for: the one that participants get, or are going to get.
func Revision(of study.Study) int {
	if of.Status != study.Draft {
		return of.PublishedRevision
	}
	return of.Revision
}

// Languages returns the languages into which a revision of a study is to be translated.
func (s *Service) Languages(ctx context.Context, of study.Study, revision int) (_ []string, err error) {
	defer operation.Wrap(&err, "translator.Languages")
	g, err := s.guide(ctx, of, revision)
	if err != nil {
		return nil, err
	}
	return translation.Targets(g), nil
}

// Translation returns the translation of a revision of a study as it stands, including what earlier revisions have;
// ErrOtherLanguage.
func (s *Service) Translation(ctx context.Context, of study.Study, revision int, language string) (_ *translation.Translation, err error) {
	defer operation.Wrap(&err, "translator.Translation")
	g, err := s.guide(ctx, of, revision)
	if err != nil {
		return nil, err
	}
	return s.read(ctx, s.Store.View(), g, of.ID, revision, language)
}

// Change lets a person change a translation. Errors: ErrOtherLanguage, and those of change, with which nothing is stored.
func (s *Service) Change(ctx context.Context, of study.Study, revision int, language string, change func(*translation.Translation) error) (_ *translation.Translation, err error) {
	defer operation.Wrap(&err, "translator.Change")
	g, err := s.guide(ctx, of, revision)
	if err != nil {
		return nil, err
	}
	return s.change(ctx, g, of.ID, revision, language, change)
}

// Translate has a model write what is missing in a translation, and stores it; without a model it stores what there is. again
// asks once more for texts that the model could not translate before. Of a study that sends nothing, only people translate. Errors: ErrOtherLanguage, and temporary ones of the model:
// what was written before such an error stays.
func (s *Service) Translate(ctx context.Context, of study.Study, revision int, language string, again bool) (_ *translation.Translation, err error) {
	defer operation.Wrap(&err, "translator.Translate")
	g, err := s.guide(ctx, of, revision)
	if err != nil {
		return nil, err
	}
	keep := func(work func(*translation.Translation)) (*translation.Translation, error) {
		return s.change(ctx, g, of.ID, revision, language, func(translated *translation.Translation) error {
			work(translated)
			return nil
		})
	}
	translated, err := keep(func(*translation.Translation) {})
	if err != nil || s.Model == nil || g.SendsNothing() {
		return translated, err
	}
	maker := translation.Maker{Model: s.Model.Model(), Prompt: guidePrompt.Name}
	for _, texts := range batches(translated, translated.Due(maker, again)) {
		conv := conversation{
			model: s.Model, prompt: guidePrompt, scope: usage.Scope{OrgID: of.OrgID, StudyID: of.ID},
			title: g.ParticipantTitle(), from: translated.From, to: language, before: before(translated, texts[0]), all: segments(translated),
		}
		written, err := conv.translate(ctx, texts, translated.Texts())
		if err != nil {
			return translated, err
		}
		if translated, err = keep(func(translated *translation.Translation) {
			for _, w := range written {
				translated.Put(w.Key, w.translated, w.violation, maker)
			}
			translated.Publish()
		}); err != nil {
			return translated, err
		}
	}
	if count := translated.Count(); count[translation.Untranslated] > 0 && s.Log != nil {
		s.Log.WarnContext(ctx, "texts of a guide are left untranslated", "study", of.ID, "language", language, "texts", count[translation.Untranslated])
	}
	return translated, nil
}

func segments(translated *translation.Translation) []translation.Segment {
	all := make([]translation.Segment, len(translated.Entries))
	for i := range translated.Entries {
		all[i] = translated.Entries[i].Segment
	}
	return all
}

func (s *Service) guide(ctx context.Context, of study.Study, revision int) (*guide.Guide, error) {
	stored, err := s.Store.View().StudyGuide(ctx, of.OrgID, of.ID, revision)
	if err != nil {
		return nil, err
	}
	return guide.Decode(stored, guide.Options{Stored: true})
}

// read builds a translation from what is stored.
func (s *Service) read(ctx context.Context, view *store.View, g *guide.Guide, studyID string, revision int, language string) (*translation.Translation, error) {
	if !slices.Contains(translation.Targets(g), language) {
		return nil, ErrOtherLanguage
	}
	translated := translation.New(g, studyID, revision, language)
	stored, err := view.Translation(ctx, studyID, revision, language)
	switch {
	case errors.Is(err, translation.ErrNone):
		translated.Auto = s.AutoApprove
	case err != nil:
		return nil, err
	case stored.Revision == revision:
		translated.Restore(&stored)
	default:
		translated.Carry(&stored)
	}
	return translated, nil
}

// maxTries limits how often a change is tried again because another one was stored first.
const maxTries = 5

func (s *Service) change(ctx context.Context, g *guide.Guide, studyID string, revision int, language string, change func(*translation.Translation) error) (translated *translation.Translation, err error) {
	return s.changeAnd(ctx, g, studyID, revision, language, change, nil)
}

// changeAnd is change with something that is stored in the same transaction; nil: nothing.
func (s *Service) changeAnd(
	ctx context.Context, g *guide.Guide, studyID string, revision int, language string, change func(*translation.Translation) error, also func(*store.Tx) error,
) (translated *translation.Translation, err error) {
	for range maxTries {
		err = s.Store.Write(ctx, func(tx *store.Tx) error {
			if translated, err = s.read(ctx, &tx.View, g, studyID, revision, language); err != nil {
				return err
			}
			if err := change(translated); err != nil {
				return err
			}
			if err := tx.SaveTranslation(ctx, translated); err != nil || also == nil {
				return err
			}
			return also(tx)
		})
		if !errors.Is(err, translation.ErrConflict) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	translated.Version++ // the version that is stored now
	return translated, nil
}
