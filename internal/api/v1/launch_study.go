package v1

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/access"
	"verbatim/internal/service/authoring"
)

type launchedStudy struct {
	ID              string       `json:"id"`
	LinkID          string       `json:"linkId"`
	SelfRecruitLink string       `json:"selfRecruitLink"`
	Status          study.Status `json:"status"`
	Wallet          *walletItem  `json:"wallet,omitempty"`
}

func (a *API) launchStudy(w http.ResponseWriter, r *http.Request) error {
	caller := access.CallerOf(r.Context())
	body, err := httpx.ReadBody(w, r)
	if err != nil {
		return err
	}
	var walletID string
	if len(body) > 0 {
		if err := strictjson.Decode(body, func(o *strictjson.Object) { walletID = o.UUID("walletId", strictjson.Optional) }); err != nil {
			return err
		}
	}
	key, leave, err := a.inFlight.EnterRequest(r, caller.OrgID, body)
	if err != nil {
		return err
	}
	defer leave()
	answer, replayed, err := a.Authoring.Launch(r.Context(), caller, r.PathValue("studyId"), walletID, org.IdempotencyKey(key), func(l authoring.Launched) []byte {
		s := launchedStudy{l.Study.ID, l.Study.LinkID, a.selfRecruitLink(l.Study.LinkID), l.Study.Status, nil}
		if l.Wallet != nil {
			billed := walletOf(*l.Wallet)
			s.Wallet = &billed
		}
		return httpx.Encode(s)
	})
	if err != nil {
		return err
	}
	httpx.MarkReplayed(w, replayed)
	return httpx.WriteBody(w, r, http.StatusOK, answer)
}
