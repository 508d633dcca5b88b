package dashboard

import (
	"errors"
	"net/http"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/access"
)

type studyMemberJSON struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Email     string   `json:"email"`
	Role      org.Role `json:"role"`
	Granted   bool     `json:"granted"`
	MayChange bool     `json:"mayChange"`
}

func (a *API) listStudyMembers(c *call) error {
	all, err := a.Access.StudyMembers(c.r.Context(), c.study.Study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		People []studyMemberJSON `json:"people"`
	}{list(all, func(m access.StudyMember) studyMemberJSON {
		return studyMemberJSON{m.User.ID, m.User.Name, m.User.Email, m.Role, m.Granted, m.MayChange}
	})})
}

func (a *API) grantStudy(c *call) error { return a.shareStudy(c, true) }

func (a *API) endGrant(c *call) error { return a.shareStudy(c, false) }

func (a *API) shareStudy(c *call, share bool) error {
	id := strings.ToLower(c.r.PathValue("userId"))
	if !study.IsUUID(id) {
		return org.ErrNoUser
	}
	err := a.Access.ShareStudy(c.r.Context(), c.caller, c.study.Study, id, share)
	if errors.Is(err, study.ErrNotFound) {
		err = org.ErrNoUser
	}
	if err != nil {
		return err
	}
	return c.done()
}
