package store

import (
	"verbatim/internal/domain/org"
)

// For returns a view for reads on behalf of a caller. If the caller's key is unproven, SingleOf, Search and ItemPage check
// it in the statement that reads, which saves a round trip, and fail with org.ErrUnverified; other reads do not check it.
func (v *View) For(caller org.Caller) *View {
	own := *v
	own.unproven = caller.Unproven
	return &own
}

// keyValid is the condition that the key $3 of the organization $2 is valid at the time $4, or is proven already.
const keyValid = ` (cast($3 as text) = '' or exists (select 1 from api_key k join member m on m.org_id = k.org_id and m.user_id = k.user_id
	where k.hash = $3 and k.org_id = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $4))) `

// orUnproven returns org.ErrUnverified if the cause of err may be the key, and err otherwise.
func (v *View) orUnproven(err error) error {
	if v.unproven != "" {
		return org.ErrUnverified
	}
	return err
}
