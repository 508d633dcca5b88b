package auditlog

import (
	"context"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Service reads audit logs.
type Service struct {
	Store *store.Store
}

// Page is a part of an audit log, newest first. Next is the number below which it goes on; 0 on the last page.
type Page struct {
	Entries []org.NamedAuditEntry
	People  []org.User // of the organization, to filter by
	Next    int
}

// PageSize limits the entries of a page.
const PageSize = 100

// Page returns entries of an organization's log that pass a filter, below a number (0: from the newest).
func (s *Service) Page(ctx context.Context, orgID string, f org.AuditFilter, below int) (page Page, err error) {
	defer operation.Wrap(&err, "auditlog.Page")
	view := s.Store.View()
	if page.Entries, err = view.AuditLog(ctx, orgID, f, below, PageSize+1); err != nil {
		return Page{}, err
	}
	if len(page.Entries) > PageSize {
		page.Entries = page.Entries[:PageSize]
		page.Next = page.Entries[PageSize-1].Seq
	}
	page.People, err = view.AuditPeople(ctx, orgID)
	return page, err
}

// Verify checks the log of an organization, or of each one where orgID is empty; org.ErrNotFound. known is an entry whose hash was noted
// earlier; its zero value is none.
func (s *Service) Verify(ctx context.Context, orgID string, known org.AuditMark) (_ []org.AuditVerification, err error) {
	defer operation.Wrap(&err, "auditlog.Verify")
	view := s.Store.View()
	if orgID != "" {
		if _, err := view.Org(ctx, orgID); err != nil {
			return nil, err
		}
	}
	return view.VerifyAuditLogs(ctx, orgID, known)
}
