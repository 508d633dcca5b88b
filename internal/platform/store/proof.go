package store

import (
	"verbatim/internal/domain/org"
)

// For returns a view for reads on behalf of a caller. Where the key is unproven, SingleOf, Search and ItemPage look it up in
// the statement that reads, which saves a round trip, and fail with org.ErrUnproven; other reads do not look it up.
func (v *View) For(caller org.Caller) *View {
	own := *v
	own.unproven = caller.Unproven
	return &own
}

// proven is the condition that the key $3 of the organization $2 is valid at the time $4, where it is not proven already.
const proven = ` (cast($3 as text) = '' or exists (select 1 from api_key k join member m on m.org_id = k.org_id and m.user_id = k.user_id
	where k.hash = $3 and k.org_id = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $4))) `

// orUnproven is err, or org.ErrUnproven where its cause may be the key.
func (v *View) orUnproven(err error) error {
	if v.unproven != "" {
		return org.ErrUnproven
	}
	return err
}
