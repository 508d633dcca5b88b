package review

import (
	"context"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Tags lists the tags that a study can use, with their uses in it.
func (s *Service) Tags(ctx context.Context, st Study) (_ []annotation.Tag, err error) {
	defer operation.Wrap(&err, "review.Tags")
	return s.Store.View().Tags(ctx, st.OrgID, st.ID)
}

// CreateTag adds a tag to the vocabulary of a study, or of the whole organization, which needs a supervisor; annotation.ErrBadName,
// annotation.ErrNameTaken, annotation.ErrTooMany, org.ErrRoleNeeded.
func (s *Service) CreateTag(ctx context.Context, st Study, name, colour string, everywhere bool) (t annotation.Tag, err error) {
	defer operation.Wrap(&err, "review.CreateTag")
	t = annotation.Tag{ID: store.NewID(), OrgID: st.OrgID, StudyID: st.ID, Colour: colour}
	if t.Name, err = annotation.CleanName(name); err != nil {
		return t, err
	}
	if everywhere {
		t.StudyID = ""
	}
	if err := mayChangeTag(st, t); err != nil && everywhere {
		return t, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		t.CreatedAt = tx.Now()
		if err := tx.CreateTag(ctx, t, st.Caller.UserID); err != nil {
			return err
		}
		return auditTag(ctx, tx, st, org.AuditTagCreated, t)
	})
	return t, err
}

// mayChangeTag returns org.ErrRoleNeeded if the caller may not change a tag: one of the organization needs a supervisor.
func mayChangeTag(st Study, t annotation.Tag) error {
	if t.StudyID == "" && !st.Caller.Role.AtLeast(org.Supervisor) {
		return org.ErrRoleNeeded
	}
	return nil
}

// ChangeTag changes the name and the colour of a tag, each unless it is empty; the errors of CreateTag, annotation.ErrNoTag.
func (s *Service) ChangeTag(ctx context.Context, st Study, id, name, colour string) (t annotation.Tag, err error) {
	defer operation.Wrap(&err, "review.ChangeTag")
	if name != "" {
		if name, err = annotation.CleanName(name); err != nil {
			return t, err
		}
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if t, err = tx.Tag(ctx, st.OrgID, st.ID, id); err != nil {
			return err
		}
		if err := mayChangeTag(st, t); err != nil {
			return err
		}
		if name != "" {
			t.Name = name
		}
		if colour != "" {
			t.Colour = colour
		}
		if err := tx.ChangeTag(ctx, t); err != nil {
			return err
		}
		return auditTag(ctx, tx, st, org.AuditTagChanged, t)
	})
	return t, err
}

// RemoveTag removes a tag, also from the annotations that have it; annotation.ErrNoTag, org.ErrRoleNeeded.
func (s *Service) RemoveTag(ctx context.Context, st Study, id string) (err error) {
	defer operation.Wrap(&err, "review.RemoveTag")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.Tag(ctx, st.OrgID, st.ID, id)
		if err == nil {
			err = mayChangeTag(st, t)
		}
		if err == nil {
			err = tx.RemoveTag(ctx, st.OrgID, id)
		}
		if err != nil {
			return err
		}
		return auditTag(ctx, tx, st, org.AuditTagRemoved, t)
	})
}

func auditTag(ctx context.Context, tx *store.Tx, st Study, action string, t annotation.Tag) error {
	subject := t.Name
	if t.StudyID != "" {
		subject = st.LinkID + ": " + t.Name
	}
	return tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, UserID: st.Caller.UserID, Action: action, Subject: subject, Detail: map[string]string{"colour": t.Colour}})
}
