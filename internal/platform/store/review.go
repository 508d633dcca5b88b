package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
)

// reviewQuery builds the part of a query after its columns, with its arguments.
type reviewQuery struct {
	text strings.Builder
	args []any
}

// arg adds an argument and returns its placeholder.
func (q *reviewQuery) arg(value any) string {
	q.args = append(q.args, value)
	return "$" + strconv.Itoa(len(q.args))
}

func (q *reviewQuery) where(condition string) { q.text.WriteString("\n\t\t\tand " + condition) }

// reviewed returns the query for the responses of a study that pass a filter.
func (v *View) reviewed(orgID, studyID string, f response.ReviewFilter) *reviewQuery {
	q := &reviewQuery{}
	of := q.arg(studyID)
	q.text.WriteString(`
		from response_item i
		join response r on r.id = i.response_id and r.deleted_at is null
		left join quality_override o on o.response_id = i.response_id
		where i.study_id = ` + of)
	switch f.Hidden {
	case response.AnyHidden:
	case response.OnlyHidden:
		q.where(`i.hidden`)
	default:
		q.where(`not i.hidden`)
	}
	switch f.Progress {
	case "":
	case "abandoned":
		q.where(`r.progress = 'in_progress' and r.abandoned`)
	case string(response.InProgress):
		q.where(`r.progress = 'in_progress' and not r.abandoned`)
	default:
		q.where(`r.progress = ` + q.arg(f.Progress))
	}
	if f.HasQuality {
		q.where(`coalesce(o.halves / 2.0, case when r.progress <> 'screened_out' then ` + v.d.itemQuality() + ` end) between cast(` + q.arg(f.From) + ` as double precision) and cast(` + q.arg(f.To) + ` as double precision)`)
	}
	if f.Tag != "" {
		q.where(`(` + v.d.itemHasTag(q.arg(f.Tag)) + ` or i.response_id in (` + taggedResponses + ` and a.study_id = ` + of + ` and t.name_key = ` + q.arg(annotation.Key(f.Tag)) + `))`)
	}
	if f.Parameter != "" {
		q.where(`i.response_id in (select u.response_id from url_param u where u.org_id = ` + q.arg(orgID) + ` and u.name = ` + q.arg(f.Parameter) +
			` and u.value = ` + q.arg(f.Value) + ` and u.study_id = ` + of + `)`)
	}
	e := v.d.passageSearch()
	for _, word := range f.Words {
		text := PassageQuery{StudyID: studyID, Words: [][]string{word}}.text(e)
		if text == "" {
			q.where(`1 = 0`) // the index holds no such word
			continue
		}
		q.where(`i.response_id in (select p.response_id from ` + e.from + ` where ` + strings.ReplaceAll(e.matches, "$1", q.arg(text)) + ` and p.study_id = ` + of + `)`)
	}
	return q
}

// ReviewItem is a response in the list of a review.
type ReviewItem struct {
	Number     int
	ResponseID string
	Progress   response.Progress
	Abandoned  bool
	Hidden     bool
	Override   float64 // 0: none
	List       []byte
}

// ReviewPage lists responses that pass a filter, with the greatest number first: those below a number, or from the greatest where it is 0.
func (v *View) ReviewPage(ctx context.Context, orgID, studyID string, f response.ReviewFilter, below, limit int) ([]ReviewItem, error) {
	q := v.reviewed(orgID, studyID, f)
	if below > 0 {
		q.where(`i.readable_id < ` + q.arg(below))
	}
	return collect(ctx, v, func(r scanner) (it ReviewItem, err error) {
		var halves sql.NullInt64
		err = r.Scan(&it.Number, &it.ResponseID, &it.Progress, &it.Abandoned, &it.Hidden, &halves, &it.List)
		it.Override = float64(halves.Int64) / 2
		return it, err
	}, `select i.readable_id, i.response_id, r.progress, r.abandoned, i.hidden, o.halves, `+v.d.document("i.list_item")+q.text.String()+`
		order by i.readable_id desc
		limit cast(`+q.arg(limit)+` as bigint)`, q.args...)
}

// CountReviewed counts the responses that pass a filter. Without any condition it costs the same however many there are.
func (v *View) CountReviewed(ctx context.Context, orgID, studyID string, f response.ReviewFilter) (n int, err error) {
	if f.IsPlain() {
		err = v.q.QueryRowContext(ctx, `select coalesce(sum(live), 0) from item_tally where study_id = $1 and size = 1048576`, studyID).Scan(&n)
		return n, err
	}
	q := v.reviewed(orgID, studyID, f)
	err = v.q.QueryRowContext(ctx, `select count(*)`+q.text.String(), q.args...).Scan(&n)
	return n, err
}

// ReviewNeighbours returns the next greater and the next smaller number that pass a filter; 0 where there is none.
func (v *View) ReviewNeighbours(ctx context.Context, orgID, studyID string, f response.ReviewFilter, number int) (greater, smaller int, err error) {
	for _, side := range []struct {
		condition, order string
		to               *int
	}{{`i.readable_id > `, ` order by i.readable_id limit 1`, &greater}, {`i.readable_id < `, ` order by i.readable_id desc limit 1`, &smaller}} {
		q := v.reviewed(orgID, studyID, f)
		q.where(side.condition + q.arg(number))
		err = v.q.QueryRowContext(ctx, `select i.readable_id`+q.text.String()+side.order, q.args...).Scan(side.to)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, 0, err
		}
	}
	return greater, smaller, nil
}

// Arrivals returns how many responses of a study that are not hidden have a number greater than since, and the greatest number that the study
// has given.
func (v *View) Arrivals(ctx context.Context, studyID string, since int) (count, newest int, err error) {
	err = v.q.QueryRowContext(ctx, `select s.last_readable_id, (select count(*)
			from response_item i
			where i.study_id = s.id and i.readable_id > $2 and not i.hidden)
		from study s
		where s.id = $1`, studyID, since).Scan(&newest, &count)
	return count, newest, noRowsAs(err, study.ErrNotFound)
}

// ResponsesByNumber returns the ids of responses of a study, by their numbers. Those that do not exist are left out.
func (v *View) ResponsesByNumber(ctx context.Context, studyID string, numbers []int) (map[int]string, error) {
	found := map[int]string{}
	_, err := collect(ctx, v, func(r scanner) (none struct{}, err error) {
		var number int
		var id string
		if err = r.Scan(&number, &id); err == nil {
			found[number] = id
		}
		return none, err
	}, `select i.readable_id, i.response_id
		from response_item i
		join response r on r.id = i.response_id and r.deleted_at is null
		where i.study_id in `+v.d.placeholders(1, 1)+` and i.readable_id in `+v.d.placeholders(2, len(numbers)),
		append([]any{studyID}, anySlice(numbers)...)...)
	return found, err
}

// ProgressCounts counts the responses of a study by how far they got.
type ProgressCounts struct{ Complete, InProgress, Abandoned, ScreenedOut, Hidden int }

// CountProgress counts the responses of a study.
func (v *View) CountProgress(ctx context.Context, studyID string) (c ProgressCounts, err error) {
	err = v.q.QueryRowContext(ctx, `select
			count(*) filter (where progress = 'complete' and not hidden),
			count(*) filter (where progress = 'in_progress' and not abandoned and not hidden),
			count(*) filter (where progress = 'in_progress' and abandoned and not hidden),
			count(*) filter (where progress = 'screened_out' and not hidden),
			count(*) filter (where hidden)
		from response
		where study_id = $1 and deleted_at is null`, studyID).
		Scan(&c.Complete, &c.InProgress, &c.Abandoned, &c.ScreenedOut, &c.Hidden)
	return c, err
}

// StudyForUser finds a study by its id or by any link id it has or had, in the organizations that a user belongs to, with the membership;
// study.ErrNotFound.
func (v *View) StudyForUser(ctx context.Context, userID, ref string) (s study.Listed, m org.NamedMembership, err error) {
	return v.studyForUser(ctx, userID, ref, `s.deleted_at is null`)
}

// studyForUser finds a study that fulfils a condition, whose placeholders begin with $3.
func (v *View) studyForUser(ctx context.Context, userID, ref, condition string, args ...any) (s study.Listed, m org.NamedMembership, err error) {
	by, key := `s.id = $1`, strings.ToLower(ref)
	switch {
	case study.IsUUID(ref):
	case study.ValidLinkID(ref):
		by, key = `s.id = (select l.study_id from study_link l where l.link_id = $1)`, ref
	default:
		return s, m, study.ErrNotFound
	}
	var name, email string
	s.Study, err = scanStudy(v.q.QueryRowContext(ctx, selectStudy+`, p.name, p.email, m.org_id, o.name, m.role
		from study s
		join member m on m.org_id = s.org_id and m.user_id = $2
		join org o on o.id = s.org_id
		left join person p on p.id = s.creator_id
		where `+by+` and `+condition, append([]any{key, userID}, args...)...), nullText{&name}, nullText{&email}, &m.OrgID, &m.OrgName, &m.Role)
	if err == nil && s.CreatorID != "" {
		s.Creator = &study.Creator{Name: name, Email: email}
	}
	return s, m, noRowsAs(err, study.ErrNotFound)
}

// StudyQuery selects a page of an organization's studies, newest first.
type StudyQuery struct {
	Title   string       // a part of the title, without regard to case; empty: any
	Folder  []string     // the folder that they are in; nil: any; empty: in none
	Status  study.Status // empty: any
	Before  time.Time    // the time of the last study of the page before; zero: the first page
	AfterID string       // its id
	Limit   int
}

// StudyPage lists a page of the studies of an organization.
func (v *View) StudyPage(ctx context.Context, orgID string, f StudyQuery) ([]study.Listed, error) {
	q := &reviewQuery{}
	q.text.WriteString(selectStudy + `, p.name, p.email
		from study s
		left join person p on p.id = s.creator_id
		where s.org_id = ` + q.arg(orgID) + ` and s.deleted_at is null`)
	if f.Status != "" {
		q.where(`s.status = ` + q.arg(f.Status))
	}
	if f.Folder != nil {
		if err := q.inFolder(f.Folder); err != nil {
			return nil, err
		}
	}
	if f.AfterID != "" {
		at := q.arg(micros(f.Before))
		q.where(`(s.created_at < ` + at + ` or s.created_at = ` + at + ` and s.id < ` + q.arg(f.AfterID) + `)`)
	}
	limit := f.Limit
	if f.Title != "" {
		q.where(v.d.containsFold("s.title", q.arg(f.Title)))
	}
	q.text.WriteString(` order by s.created_at desc, s.id desc limit cast(` + q.arg(limit) + ` as bigint)`)
	return collect(ctx, v, func(r scanner) (l study.Listed, err error) {
		var name, email string
		l.Study, err = scanStudy(r, nullText{&name}, nullText{&email})
		if err == nil && l.CreatorID != "" {
			l.Creator = &study.Creator{Name: name, Email: email}
		}
		return l, err
	}, q.text.String(), q.args...)
}

// inFolder adds the condition that a study is in a folder.
func (q *reviewQuery) inFolder(path []string) error {
	if len(path) == 0 {
		q.where(`(s.folder_path is null or s.folder_path = '[]')`)
		return nil
	}
	folder, err := folderText(path)
	if err == nil {
		q.where(`s.folder_path = ` + q.arg(folder))
	}
	return err
}

// QualityOverride returns how a person judged the quality of a response; nil where nobody did.
func (v *View) QualityOverride(ctx context.Context, responseID string) (*response.QualityOverride, error) {
	var o response.QualityOverride
	var halves int
	err := v.q.QueryRowContext(ctx, `select q.halves, q.reason, q.user_id, case when p.name = '' then p.email else p.name end, q.created_at
		from quality_override q
		left join person p on p.id = q.user_id
		where q.response_id = $1`, responseID).Scan(&halves, &o.Reason, &o.UserID, nullText{&o.UserName}, nullTime{&o.At})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	o.Score = float64(halves) / 2
	return &o, err
}

// SaveQualityOverride stores how a person judged the quality of a response, in place of an earlier judgement; response.ErrNotFound.
func (tx *Tx) SaveQualityOverride(ctx context.Context, responseID string, o response.QualityOverride) error {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	n, err := tx.exec(ctx, `insert into quality_override (response_id, halves, reason, user_id, created_at)
		select r.id, cast($2 as bigint), $3, $4, cast($5 as bigint)
		from response r
		where r.id = $1 and r.deleted_at is null
		on conflict (response_id) do update set halves = excluded.halves, reason = excluded.reason, user_id = excluded.user_id,
			created_at = excluded.created_at`, responseID, int(o.Score*2), o.Reason, o.UserID, micros(tx.at))
	if err == nil && n == 0 {
		err = response.ErrNotFound
	}
	return err
}

// RemoveQualityOverride removes a person's judgement of a response, and reports whether there was one.
func (tx *Tx) RemoveQualityOverride(ctx context.Context, responseID string) (removed bool, err error) {
	n, err := tx.exec(ctx, `delete from quality_override where response_id = $1`, responseID)
	return n > 0, err
}
