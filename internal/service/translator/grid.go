package translator

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Errors of the grid of translations.
var (
	ErrNoModel = errors.New("no language model translates the guides of this study")
)

// Progress counts the texts of a translation into a language by their state.
type Progress struct {
	Language string
	Texts    int
	Count    map[translation.State]int
	Offered  bool // participants may choose it
	Auto     bool // machine translations are shown without approval
	Waiting  bool // a model is asked
}

// Overview lists the progress of all translations of a guide. They are those of the editable revision, which participants of a live study get when it is published.
type Overview struct {
	Revision  int
	From      string
	Machine   bool // a model can be asked
	Languages []Progress
}

// Overview returns how far the translations of a study are.
func (s *Service) Overview(ctx context.Context, of study.Study) (o Overview, err error) {
	defer operation.Wrap(&err, "translator.Overview")
	g, err := s.guide(ctx, of, of.Revision)
	if err != nil {
		return o, err
	}
	o = Overview{Revision: of.Revision, From: translation.From(g), Machine: s.Model != nil && !g.SendsNothing()}
	for _, language := range translation.Targets(g) {
		translated, err := s.read(ctx, s.Store.View(), g, of.ID, of.Revision, language)
		if err != nil {
			return o, err
		}
		p, err := s.progress(ctx, of, translated)
		if err != nil {
			return o, err
		}
		o.Languages = append(o.Languages, p)
	}
	return o, nil
}

// progress says how far a translation is.
func (s *Service) progress(ctx context.Context, of study.Study, translated *translation.Translation) (p Progress, err error) {
	p = Progress{Language: translated.Language, Texts: len(translated.Entries), Count: translated.Count(), Auto: translated.Auto}
	view := s.Store.View()
	shown, err := view.ShownTranslation(ctx, of.ID, Revision(of), translated.Language)
	if err != nil {
		return p, err
	}
	p.Offered = shown > 0
	p.Waiting, err = view.JobWaits(ctx, jobs.New(translationJob(of, translated.Language)))
	return p, err
}

func translationJob(of study.Study, language string) jobs.TranslateArgs {
	return jobs.TranslateArgs{StudyID: of.ID, Revision: of.Revision, Language: language, OrgID: of.OrgID}
}

// Texts returns the translation of the editable revision into a language, and how far it is; ErrOtherLanguage.
func (s *Service) Texts(ctx context.Context, of study.Study, language string) (_ *translation.Translation, p Progress, err error) {
	defer operation.Wrap(&err, "translator.Texts")
	translated, err := s.Translation(ctx, of, of.Revision, language)
	if err != nil {
		return nil, p, err
	}
	p, err = s.progress(ctx, of, translated)
	return translated, p, err
}

// Edit stores what a person wrote for some texts of the editable revision, by their keys, and for the same texts of the published one; ErrOtherLanguage.
func (s *Service) Edit(ctx context.Context, of study.Study, language string, texts map[string]string) (p Progress, refused []translation.Refusal, err error) {
	defer operation.Wrap(&err, "translator.Edit")
	return s.review(ctx, of, language, func(translated *translation.Translation) { refused = translated.Edit(texts) }, &refused, nil)
}

// Approve releases texts, with no keys all that are translated; ErrOtherLanguage. Participants see the translation once all are.
func (s *Service) Approve(ctx context.Context, caller org.Caller, of study.Study, language string, keys []string) (p Progress, refused []translation.Refusal, err error) {
	defer operation.Wrap(&err, "translator.Approve")
	return s.review(ctx, of, language, func(translated *translation.Translation) { refused = translated.ApproveTexts(keys) }, &refused, func(tx *store.Tx) error {
		return tx.Audit(ctx, org.AuditEntry{
			OrgID: of.OrgID, UserID: caller.UserID, Action: org.AuditTranslated, Subject: of.LinkID, Detail: map[string]string{"language": language, "texts": strconv.Itoa(len(keys))},
		})
	})
}

// review changes the translation of the editable revision, and takes the same over into the published one, if that is another.
func (s *Service) review(
	ctx context.Context, of study.Study, language string, change func(*translation.Translation), refused *[]translation.Refusal, also func(*store.Tx) error,
) (p Progress, _ []translation.Refusal, err error) {
	g, err := s.guide(ctx, of, of.Revision)
	if err != nil {
		return p, nil, err
	}
	translated, err := s.changeAnd(ctx, g, of.ID, of.Revision, language, func(translated *translation.Translation) error {
		change(translated)
		return nil
	}, also)
	if err != nil {
		return p, nil, err
	}
	if of.PublishedRevision != 0 && of.PublishedRevision != of.Revision {
		_, err = s.Change(ctx, of, of.PublishedRevision, language, func(published *translation.Translation) error {
			published.Carry(translated)
			return nil
		})
		if err != nil && !errors.Is(err, ErrOtherLanguage) {
			return p, nil, err
		}
	}
	p, err = s.progress(ctx, of, translated)
	return p, *refused, err
}

// Ask has a model write what is missing, in the background; ErrOtherLanguage, ErrNoModel. While it is asked already nothing happens.
func (s *Service) Ask(ctx context.Context, caller org.Caller, of study.Study, language string) (p Progress, err error) {
	defer operation.Wrap(&err, "translator.Ask")
	g, err := s.guide(ctx, of, of.Revision)
	if err != nil {
		return p, err
	}
	if !slices.Contains(translation.Targets(g), language) {
		return p, ErrOtherLanguage
	}
	if s.Model == nil || g.SendsNothing() {
		return p, ErrNoModel
	}
	work := translationJob(of, language)
	if err := s.Store.Write(ctx, func(tx *store.Tx) error {
		if waits, err := tx.JobWaits(ctx, jobs.New(work)); err != nil || waits {
			return err
		}
		if err := jobs.Enqueue(ctx, tx, work); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: of.OrgID, UserID: caller.UserID, Action: org.AuditTranslationSent, Subject: of.LinkID, Detail: map[string]string{"language": language}})
	}); err != nil {
		return p, err
	}
	_, p, err = s.Texts(ctx, of, language)
	return p, err
}
