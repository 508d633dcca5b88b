package review

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/results"
)

// PageSize limits the studies or responses of a page.
const PageSize = 100

// MaxSelected limits the responses that one call changes or deletes.
const MaxSelected = 100

// Errors of a review.
var (
	ErrBadCursor = errors.New("the cursor is not one of this list")
	ErrNoWords   = errors.New("nothing that can be searched for")
)

// CountError refuses a deletion of another number of responses than was meant.
type CountError struct{ Exist, Meant int }

// Error implements error.
func (e *CountError) Error() string {
	return fmt.Sprintf("%d responses would be deleted, and not %d", e.Exist, e.Meant)
}

// Service reviews responses.
type Service struct {
	Store   *store.Store
	Results *results.Service
	Erasure *erasure.Service

	Interviews       *interviewlog.Loader // nil: keeps no guides
	TranslateAnswers bool                 // corrected answers in another language are translated again
}

// Study is a study as a member of its organization sees it.
type Study struct {
	study.Listed
	Membership org.NamedMembership
	Caller     org.Caller
	MayChange  bool // the caller may hide, delete and judge its responses
}

// Open finds a study by its id or any of its link ids, in the organizations of a user; study.ErrNotFound.
func (s *Service) Open(ctx context.Context, userID, ref string) (st Study, err error) {
	defer operation.Wrap(&err, "review.Open")
	if st.Listed, st.Membership, err = s.Store.View().StudyForUser(ctx, userID, ref); err != nil {
		return Study{}, err
	}
	return s.withRights(ctx, st, userID)
}

// OpenTrashed is Open of a study in the trash.
func (s *Service) OpenTrashed(ctx context.Context, userID, ref string) (st Study, err error) {
	defer operation.Wrap(&err, "review.OpenTrashed")
	if st.Listed, st.Membership, err = s.Store.View().TrashedForUser(ctx, userID, ref, s.Store.Now().Add(-study.TrashFor)); err != nil {
		return Study{}, err
	}
	return s.withRights(ctx, st, userID)
}

// withRights adds what a user may do with a study.
func (s *Service) withRights(ctx context.Context, st Study, userID string) (_ Study, err error) {
	st.Caller = org.Caller{OrgID: st.OrgID, UserID: userID, Role: st.Membership.Role}
	granted := false
	if !study.MayLaunch(st.Study, st.Caller, false) {
		if granted, err = s.Store.View().HasStudyGrant(ctx, st.ID, userID, org.StartRecruitment); err != nil {
			return Study{}, err
		}
	}
	st.MayChange = study.MayLaunch(st.Study, st.Caller, granted)
	return st, nil
}

// Counts returns how many responses the study has, by how far they got.
func (s *Service) Counts(ctx context.Context, st Study) (_ store.ProgressCounts, err error) {
	defer operation.Wrap(&err, "review.Counts")
	return s.Store.View().CountProgress(ctx, st.ID)
}

// Studies is a page of studies. Next is the cursor of the following one; empty on the last.
type Studies struct {
	List []study.Listed
	Next string
}

// StudyFilter selects studies. The zero value selects all.
type StudyFilter struct {
	Title  string // a part of it
	Status study.Status
	Folder []string // nil: any; empty: in none
}

// Studies lists studies of the caller's organization, newest first; ErrBadCursor.
func (s *Service) Studies(ctx context.Context, caller org.Caller, f StudyFilter, cursor string) (page Studies, err error) {
	defer operation.Wrap(&err, "review.Studies")
	q := store.StudyQuery{Title: f.Title, Status: f.Status, Folder: f.Folder, Limit: PageSize + 1}
	if cursor != "" {
		if q.Before, q.AfterID, err = openCursor(cursor); err != nil {
			return Studies{}, err
		}
	}
	page.List, err = s.Store.View().StudyPage(ctx, caller.OrgID, q)
	if len(page.List) > PageSize {
		page.List = page.List[:PageSize]
		last := page.List[PageSize-1]
		page.Next = base64.RawURLEncoding.EncodeToString(append(binary.BigEndian.AppendUint64(nil, uint64(last.CreatedAt.UnixMicro())), last.ID...))
	}
	return page, err
}

// openCursor reads a cursor. It is not signed: it leads to nothing but a place in the caller's own list.
func openCursor(cursor string) (before time.Time, id string, err error) {
	place, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(place) != 8+36 || !study.IsUUID(string(place[8:])) {
		return before, "", ErrBadCursor
	}
	return time.UnixMicro(int64(binary.BigEndian.Uint64(place))).UTC(), string(place[8:]), nil
}

// Filter selects responses, as the address of the page has it. The zero value selects those that are not hidden.
type Filter struct {
	response.ReviewFilter
	Words string // that the participant said, in any order
}

// prepared returns the filter for the store; ErrNoWords.
func (f Filter) prepared() (response.ReviewFilter, error) {
	made := f.ReviewFilter
	if strings.TrimSpace(f.Words) == "" {
		return made, nil
	}
	const maxWords = 12
	words := textanalysis.QueryWords(f.Words, "en")
	if len(words) == 0 {
		return made, ErrNoWords
	}
	for _, w := range words[:min(len(words), maxWords)] {
		made.Words = append(made.Words, w.Forms)
	}
	return made, nil
}

// Item is a response of a list.
type Item struct {
	store.ReviewItem
	Document document.Item
	Tags     []annotation.Tag // that people gave to the response or to words of it
}

// List is a page of responses.
type List struct {
	Items  []Item
	Total  int // of the filter, on all pages
	Newest int // the greatest number of the study
	Next   int // below which the following page goes on; 0 on the last
}

// List lists responses of a study, newest first, below a number (0: from the newest); ErrNoWords.
func (s *Service) List(ctx context.Context, st Study, f Filter, below int) (page List, err error) {
	defer operation.Wrap(&err, "review.List")
	filter, err := f.prepared()
	if err != nil {
		return List{}, err
	}
	view := s.Store.View()
	if _, page.Newest, err = view.Arrivals(ctx, st.ID, maxNumber); err != nil { // before the page, so that nothing is missed between the two
		return List{}, err
	}
	if page.Total, err = view.CountReviewed(ctx, st.OrgID, st.ID, filter); err != nil {
		return List{}, err
	}
	rows, err := view.ReviewPage(ctx, st.OrgID, st.ID, filter, below, PageSize+1)
	if err != nil {
		return List{}, err
	}
	if len(rows) > PageSize {
		rows = rows[:PageSize]
		page.Next = rows[PageSize-1].Number
	}
	for _, row := range rows {
		it := Item{ReviewItem: row}
		if it.Document, err = document.DecodeItem(row.List); err != nil {
			return List{}, err
		}
		it.List = nil
		page.Items = append(page.Items, it)
	}
	return page, addTags(ctx, view, page.Items)
}

// addTags adds the tags that people gave.
func addTags(ctx context.Context, view *store.View, items []Item) error {
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].ResponseID
	}
	tags, err := view.TagsOfResponses(ctx, ids)
	for i := range items {
		items[i].Tags = tags[items[i].ResponseID]
	}
	return err
}

// maxNumber is greater than every number of a response.
const maxNumber = 1<<31 - 1

// Arrivals returns how many responses came after a number, and the greatest number.
func (s *Service) Arrivals(ctx context.Context, st Study, since int) (count, newest int, err error) {
	defer operation.Wrap(&err, "review.Arrivals")
	return s.Store.View().Arrivals(ctx, st.ID, since)
}

// subject returns how the audit log names responses of a study.
func subject(st Study, numbers []int) string {
	var text strings.Builder
	text.WriteString(st.LinkID)
	for i, n := range numbers {
		text.WriteString(map[bool]string{true: "/", false: ","}[i == 0] + strconv.Itoa(n))
	}
	return text.String()
}

// SetHidden hides responses or shows them again, and returns the numbers of those that changed; org.ErrRoleNeeded.
func (s *Service) SetHidden(ctx context.Context, st Study, numbers []int, hidden bool) (changed []int, err error) {
	defer operation.Wrap(&err, "review.SetHidden")
	if !st.MayChange {
		return nil, org.ErrRoleNeeded
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		changed = nil
		ids, err := tx.ResponsesByNumber(ctx, st.ID, numbers)
		if err != nil {
			return err
		}
		for _, n := range numbers {
			id, exists := ids[n]
			if !exists {
				continue
			}
			r, err := tx.Response(ctx, st.OrgID, id)
			if err == nil && r.Hidden != hidden {
				if err = tx.HideResponse(ctx, st.OrgID, id, hidden); err == nil {
					changed = append(changed, n)
				}
			}
			if err != nil && !errors.Is(err, response.ErrNotFound) {
				return err
			}
		}
		if len(changed) == 0 {
			return nil
		}
		action := org.AuditShown
		if hidden {
			action = org.AuditHidden
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, UserID: st.Caller.UserID, Action: action, Subject: subject(st, changed)})
	})
	return changed, err
}

// Deleted is the receipt of the deletion of a response.
type Deleted struct {
	Number int
	response.Deletion
}

// Delete deletes responses for ever, if as many of them exist as were meant; org.ErrRoleNeeded, *CountError.
func (s *Service) Delete(ctx context.Context, st Study, numbers []int, meant int) (receipts []Deleted, err error) {
	defer operation.Wrap(&err, "review.Delete")
	if !st.MayChange {
		return nil, org.ErrRoleNeeded
	}
	found, err := s.Store.View().ResponsesByNumber(ctx, st.ID, numbers)
	if err != nil {
		return nil, err
	}
	var existing []int
	var ids []string
	for _, n := range numbers {
		if id, exists := found[n]; exists {
			existing, ids = append(existing, n), append(ids, id)
		}
	}
	if len(ids) != meant {
		return nil, &CountError{len(ids), meant}
	}
	all, err := s.Erasure.RequestAll(ctx, st.Caller, st.Study, ids, subject(st, existing))
	if errors.Is(err, response.ErrNotFound) || errors.Is(err, response.ErrGone) { // one was deleted in between
		return nil, &CountError{len(ids) - 1, meant}
	}
	for i, d := range all {
		receipts = append(receipts, Deleted{existing[i], d})
	}
	return receipts, err
}

// Judge stores how a person judges the quality of a response; org.ErrRoleNeeded, response.ErrNotFound.
func (s *Service) Judge(ctx context.Context, st Study, number int, score float64, reason string) (stored response.QualityOverride, err error) {
	defer operation.Wrap(&err, "review.Judge")
	err = s.changeOne(ctx, st, number, func(tx *store.Tx, id string) error {
		if err := tx.SaveQualityOverride(ctx, id, response.QualityOverride{Score: score, Reason: reason, UserID: st.Caller.UserID}); err != nil {
			return err
		}
		o, err := tx.QualityOverride(ctx, id)
		if err != nil {
			return err
		}
		stored = *o
		return tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, UserID: st.Caller.UserID, Action: org.AuditQualityJudged, Subject: subject(st, []int{number}), Detail: map[string]string{"score": strconv.FormatFloat(score, 'f', 1, 64)}})
	})
	return stored, err
}

// Unjudge removes a person's judgement; org.ErrRoleNeeded, response.ErrNotFound.
func (s *Service) Unjudge(ctx context.Context, st Study, number int) (err error) {
	defer operation.Wrap(&err, "review.Unjudge")
	return s.changeOne(ctx, st, number, func(tx *store.Tx, id string) error {
		removed, err := tx.RemoveQualityOverride(ctx, id)
		if err != nil || !removed {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, UserID: st.Caller.UserID, Action: org.AuditQualityUnjudged, Subject: subject(st, []int{number})})
	})
}

// changeOne runs change with the id of a response in a transaction.
func (s *Service) changeOne(ctx context.Context, st Study, number int, change func(tx *store.Tx, id string) error) error {
	if !st.MayChange {
		return org.ErrRoleNeeded
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		ids, err := tx.ResponsesByNumber(ctx, st.ID, []int{number})
		if err != nil {
			return err
		}
		id, exists := ids[number]
		if !exists {
			return response.ErrNotFound
		}
		return change(tx, id)
	})
}
