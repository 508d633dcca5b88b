package store

import (
	"context"
	"time"
)

// Presence is a guide that somebody has open.
type Presence struct {
	UserID, UserName string
	Tab              string // names one of the person's tabs
	Item             string // the id of the card that is open; empty: none
}

// SavePresence notes which card somebody has open in a tab.
func (tx *Tx) SavePresence(ctx context.Context, studyID string, p Presence) error {
	return tx.run(ctx, `insert into guide_presence (study_id, user_id, tab, item, seen_at)
		values ($1, $2, $3, $4, $5)
		on conflict (study_id, user_id, tab) do update set item = excluded.item, seen_at = excluded.seen_at`, studyID, p.UserID, p.Tab, p.Item, micros(tx.at))
}

// EndPresence forgets a tab, and those that were not seen since a time.
func (tx *Tx) EndPresence(ctx context.Context, studyID string, p Presence, since time.Time) error {
	return tx.run(ctx, `delete from guide_presence where study_id = $1 and (user_id = $2 and tab = $3 or seen_at < $4)`, studyID, p.UserID, p.Tab, micros(since))
}

// PresentIn lists who has had the guide of a study open since a time, by name, without one tab.
func (v *View) PresentIn(ctx context.Context, studyID string, without Presence, since time.Time) ([]Presence, error) {
	return collect(ctx, v, func(r scanner) (p Presence, err error) {
		return p, r.Scan(&p.UserID, &p.Tab, &p.Item, nullText{&p.UserName})
	}, `select g.user_id, g.tab, g.item, case when p.name = '' then p.email else p.name end as shown
		from guide_presence g
		left join person p on p.id = g.user_id
		where g.study_id = $1 and g.seen_at >= $2 and not (g.user_id = $3 and g.tab = $4)
		order by shown, g.user_id, g.tab
		limit 100`, studyID, micros(since), without.UserID, without.Tab)
}
