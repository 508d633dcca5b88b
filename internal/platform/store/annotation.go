package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/response"
)

const selectAnnotation = `select a.id, a.study_id, a.response_id, i.readable_id, a.row_index, a.span_from, a.span_to, a.words, a.lost, a.begins_us, a.ends_us,
		a.note, a.user_id, a.created_at, a.updated_at, case when p.name = '' then p.email else p.name end,
		(select string_agg(x.tag_id, ',') from annotation_tagged x where x.annotation_id = a.id)
	from annotation a
	join response_item i on i.response_id = a.response_id
	join response r on r.id = a.response_id and r.deleted_at is null
	left join person p on p.id = a.user_id `

func scanAnnotation(r scanner) (a annotation.Annotation, err error) {
	var begins, ends int64
	var tags string
	if err := r.Scan(&a.ID, &a.StudyID, &a.ResponseID, &a.Number, &a.Row, &a.Start, &a.End, &a.Words, &a.Lost, &begins, &ends,
		&a.Note, &a.UserID, nullTime{&a.CreatedAt}, nullTime{&a.UpdatedAt}, nullText{&a.UserName}, nullText{&tags}); err != nil {
		return a, err
	}
	if ends > 0 {
		a.Begins, a.Ends = time.Duration(begins)*time.Microsecond, time.Duration(ends)*time.Microsecond
	}
	if tags != "" {
		a.Tags = annotation.Ids(strings.Split(tags, ","))
	}
	return a, nil
}

// Annotations lists the annotations of a response: those of the whole response, then by row and place.
func (v *View) Annotations(ctx context.Context, responseID string) ([]annotation.Annotation, error) {
	return collect(ctx, v, scanAnnotation, selectAnnotation+`where a.response_id = $1 order by a.row_index, a.span_from, a.id`, responseID)
}

// AnnotationsOf lists the annotations of some responses, by response, row and place.
func (v *View) AnnotationsOf(ctx context.Context, responseIDs []string) ([]annotation.Annotation, error) {
	if len(responseIDs) == 0 {
		return nil, nil
	}
	return collect(ctx, v, scanAnnotation, selectAnnotation+`where a.response_id in `+v.d.placeholders(1, len(responseIDs))+`
		order by i.readable_id, a.row_index, a.span_from, a.id`, anySlice(responseIDs)...)
}

// Annotation finds an annotation of a study; annotation.ErrNotFound.
func (v *View) Annotation(ctx context.Context, studyID, id string) (annotation.Annotation, error) {
	a, err := scanAnnotation(v.q.QueryRowContext(ctx, selectAnnotation+`where a.id = $1 and a.study_id = $2`, id, studyID))
	return a, noRowsAs(err, annotation.ErrNotFound)
}

// QuoteQuery selects highlights of a study. Those of hidden responses are left out.
type QuoteQuery struct {
	TagID  string // empty: with any or no tag
	UserID string // who highlighted; empty: anybody
	Number int    // of the response; 0: any
	After  string // the id of the last one of the page before; empty: the first page
	Limit  int
}

// Quotes lists highlights of a study, the latest first.
func (v *View) Quotes(ctx context.Context, studyID string, f QuoteQuery) ([]annotation.Annotation, error) {
	q := &reviewQuery{}
	q.text.WriteString(selectAnnotation + `where a.study_id = ` + q.arg(studyID) + ` and a.row_index >= 0 and not i.hidden`)
	if f.TagID != "" {
		q.where(`exists (select 1 from annotation_tagged x where x.annotation_id = a.id and x.tag_id = ` + q.arg(f.TagID) + `)`)
	}
	if f.UserID != "" {
		q.where(`a.user_id = ` + q.arg(f.UserID))
	}
	if f.Number > 0 {
		q.where(`i.readable_id = ` + q.arg(f.Number))
	}
	if f.After != "" {
		q.where(`a.id < ` + q.arg(f.After)) // ids of version 7 are in the order of their times
	}
	q.text.WriteString(` order by a.id desc limit cast(` + q.arg(f.Limit) + ` as bigint)`)
	return collect(ctx, v, scanAnnotation, q.text.String(), q.args...)
}

// Annotator is somebody who annotated responses of a study.
type Annotator struct{ UserID, UserName string }

// Annotators lists who highlighted words in responses of a study.
func (v *View) Annotators(ctx context.Context, studyID string) ([]Annotator, error) {
	return collect(ctx, v, func(r scanner) (a Annotator, err error) { return a, r.Scan(&a.UserID, nullText{&a.UserName}) }, `select distinct a.user_id,
			case when p.name = '' then p.email else p.name end
		from annotation a
		left join person p on p.id = a.user_id
		where a.study_id = $1 and a.row_index >= 0
		order by 2, 1`, studyID)
}

// lockLiveResponse locks the study of a response; response.ErrNotFound once it is deleted.
func (tx *Tx) lockLiveResponse(ctx context.Context, responseID string) error {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	var there bool
	err := tx.q.QueryRowContext(ctx, `select exists (select 1 from response where id = $1 and deleted_at is null)`, responseID).Scan(&there)
	if err == nil && !there {
		err = response.ErrNotFound
	}
	return err
}

// AddAnnotation stores an annotation, under the id that it has; response.ErrNotFound, annotation.ErrTooMany, annotation.ErrNoTag.
func (tx *Tx) AddAnnotation(ctx context.Context, orgID string, a annotation.Annotation) error {
	if err := tx.lockLiveResponse(ctx, a.ResponseID); err != nil {
		return err
	}
	var n int
	if err := tx.q.QueryRowContext(ctx, `select count(*) from annotation where response_id = $1`, a.ResponseID).Scan(&n); err != nil {
		return err
	}
	if n >= annotation.MaxOfResponse {
		return annotation.ErrTooMany
	}
	begins, ends := timesOf(a)
	if err := tx.run(ctx, `insert into annotation (id, study_id, response_id, row_index, span_from, span_to, words, begins_us, ends_us, note, user_id, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
		a.ID, a.StudyID, a.ResponseID, a.Row, a.Start, a.End, a.Words, begins, ends, a.Note, a.UserID, micros(tx.at)); err != nil {
		return err
	}
	return tx.tagAnnotation(ctx, orgID, a)
}

func timesOf(a annotation.Annotation) (begins, ends int64) {
	if a.Ends <= 0 {
		return -1, -1
	}
	return a.Begins.Microseconds(), a.Ends.Microseconds()
}

// ChangeAnnotation stores the note and the tags of an annotation; annotation.ErrNotFound, annotation.ErrNoTag.
func (tx *Tx) ChangeAnnotation(ctx context.Context, orgID string, a annotation.Annotation) error {
	n, err := tx.exec(ctx, `update annotation set note = $1, updated_at = $2 where id = $3 and study_id = $4`, a.Note, micros(tx.at), a.ID, a.StudyID)
	if err == nil && n == 0 {
		err = annotation.ErrNotFound
	}
	if err != nil {
		return err
	}
	if err := tx.run(ctx, `delete from annotation_tagged where annotation_id = $1`, a.ID); err != nil {
		return err
	}
	return tx.tagAnnotation(ctx, orgID, a)
}

// tagAnnotation stores the tags of an annotation, which are of its study or of the organization; annotation.ErrNoTag.
func (tx *Tx) tagAnnotation(ctx context.Context, orgID string, a annotation.Annotation) error {
	for _, tag := range annotation.Ids(a.Tags) {
		n, err := tx.exec(ctx, `insert into annotation_tagged (annotation_id, tag_id)
			select $1, t.id
			from annotation_tag t
			where t.id = $2 and t.org_id = $3 and (t.study_id is null or t.study_id = $4)`, a.ID, tag, orgID, a.StudyID)
		if err == nil && n == 0 {
			err = annotation.ErrNoTag
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// MoveAnnotation stores where the words of an annotation stand now, and when they are said.
func (tx *Tx) MoveAnnotation(ctx context.Context, a annotation.Annotation) error {
	begins, ends := timesOf(a)
	return tx.run(ctx, `update annotation set span_from = $1, span_to = $2, lost = $3, begins_us = $4, ends_us = $5 where id = $6`, a.Start, a.End, a.Lost, begins, ends, a.ID)
}

// RemoveAnnotation removes an annotation of a study; annotation.ErrNotFound.
func (tx *Tx) RemoveAnnotation(ctx context.Context, studyID, id string) error {
	n, err := tx.exec(ctx, `delete from annotation where id = $1 and study_id = $2`, id, studyID)
	if err == nil && n == 0 {
		err = annotation.ErrNotFound
	}
	return err
}

// taggedResponses selects the responses of tagged annotations: a is the annotation, t the tag.
const taggedResponses = `select a.response_id
	from annotation a
	join annotation_tagged x on x.annotation_id = a.id
	join annotation_tag t on t.id = x.tag_id
	where 1 = 1`

const selectTag = `select t.id, t.org_id, coalesce(t.study_id, ''), t.name, t.colour, t.created_at`

func scanTag(r scanner, more ...any) (t annotation.Tag, err error) {
	return t, r.Scan(append([]any{&t.ID, &t.OrgID, &t.StudyID, &t.Name, &t.Colour, nullTime{&t.CreatedAt}}, more...)...)
}

// Tags lists the tags that a study can use, its own and those of its organization, by name, with their uses in the study.
func (v *View) Tags(ctx context.Context, orgID, studyID string) ([]annotation.Tag, error) {
	return collect(ctx, v, func(r scanner) (t annotation.Tag, err error) {
		var uses int
		t, err = scanTag(r, &uses)
		t.Uses = uses
		return t, err
	}, selectTag+`, (select count(*)
			from annotation_tagged x
			join annotation a on a.id = x.annotation_id
			where x.tag_id = t.id and a.study_id = $2)
		from annotation_tag t
		where t.org_id = $1 and (t.study_id is null or t.study_id = $2)
		order by t.name_key, t.id`, orgID, studyID)
}

// TagsOfResponses returns the tags that people gave to responses or to words in them, by response.
func (v *View) TagsOfResponses(ctx context.Context, responseIDs []string) (map[string][]annotation.Tag, error) {
	found := map[string][]annotation.Tag{}
	if len(responseIDs) == 0 {
		return found, nil
	}
	_, err := collect(ctx, v, func(r scanner) (none struct{}, err error) {
		var of string
		t, err := scanTag(r, &of)
		found[of] = append(found[of], t)
		return none, err
	}, `select distinct t.id, t.org_id, coalesce(t.study_id, ''), t.name, t.colour, t.created_at, a.response_id
		from annotation a
		join annotation_tagged x on x.annotation_id = a.id
		join annotation_tag t on t.id = x.tag_id
		where a.response_id in `+v.d.placeholders(1, len(responseIDs))+`
		order by 4, 1`, anySlice(responseIDs)...)
	return found, err
}

// Tag finds a tag that a study can use; annotation.ErrNoTag.
func (v *View) Tag(ctx context.Context, orgID, studyID, id string) (annotation.Tag, error) {
	t, err := scanTag(v.q.QueryRowContext(ctx, selectTag+`
		from annotation_tag t
		where t.id = $1 and t.org_id = $2 and (t.study_id is null or t.study_id = $3)`, id, orgID, studyID))
	return t, noRowsAs(err, annotation.ErrNoTag)
}

// CreateTag stores a tag; annotation.ErrNameTaken if the organization or the study has one of this name, annotation.ErrTooMany.
func (tx *Tx) CreateTag(ctx context.Context, t annotation.Tag, userID string) error {
	var n int
	if err := tx.q.QueryRowContext(ctx, `select count(*) from annotation_tag where org_id = $1 and coalesce(study_id, '') = $2`, t.OrgID, t.StudyID).Scan(&n); err != nil {
		return err
	}
	if n >= annotation.MaxVocabulary {
		return annotation.ErrTooMany
	}
	added, err := tx.exec(ctx, `insert into annotation_tag (id, org_id, study_id, name, name_key, colour, user_id, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8)
		on conflict do nothing`, t.ID, t.OrgID, sql.NullString{String: t.StudyID, Valid: t.StudyID != ""}, t.Name, annotation.Key(t.Name), t.Colour, userID, micros(tx.at))
	if err == nil && added == 0 {
		err = annotation.ErrNameTaken
	}
	return err
}

// ChangeTag stores the name and the colour of a tag; annotation.ErrNoTag, annotation.ErrNameTaken.
func (tx *Tx) ChangeTag(ctx context.Context, t annotation.Tag) error {
	var taken bool
	if err := tx.q.QueryRowContext(ctx, `select exists (select 1
		from annotation_tag
		where org_id = $1 and coalesce(study_id, '') = $2 and name_key = $3 and id <> $4)`, t.OrgID, t.StudyID, annotation.Key(t.Name), t.ID).Scan(&taken); err != nil {
		return err
	}
	if taken {
		return annotation.ErrNameTaken
	}
	n, err := tx.exec(ctx, `update annotation_tag set name = $1, name_key = $2, colour = $3 where id = $4 and org_id = $5`, t.Name, annotation.Key(t.Name), t.Colour, t.ID, t.OrgID)
	if err == nil && n == 0 {
		err = annotation.ErrNoTag
	}
	return err
}

// RemoveTag removes a tag, also from what has it; annotation.ErrNoTag.
func (tx *Tx) RemoveTag(ctx context.Context, orgID, id string) error {
	n, err := tx.exec(ctx, `delete from annotation_tag where id = $1 and org_id = $2`, id, orgID)
	if err == nil && n == 0 {
		err = annotation.ErrNoTag
	}
	return err
}
