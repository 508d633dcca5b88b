package store

import (
	"context"
	"time"

	"verbatim/internal/domain/org"
)

// CreateOrg adds an organization.
func (tx *Tx) CreateOrg(ctx context.Context, name string) (org.Organization, error) {
	o := org.Organization{ID: NewID(), CreatedAt: tx.at, Brand: org.Brand{Name: name}}
	_, err := tx.exec(ctx, `insert into org (id, name, created_at) values ($1, $2, $3)`, o.ID, o.Name, micros(o.CreatedAt))
	return o, err
}

// Org finds an organization; org.ErrNotFound.
func (v *View) Org(ctx context.Context, id string) (org.Organization, error) {
	o, err := scanOrg(v.q.QueryRowContext(ctx, selectOrg+` where id = $1`, id))
	return o, noRowsAs(err, org.ErrNotFound)
}

const selectOrg = `select id, name, created_at, colour, logo, logo_width, logo_height from org`

func scanOrg(r scanner) (o org.Organization, err error) {
	var colour string
	if err := r.Scan(&o.ID, &o.Name, nullTime{&o.CreatedAt}, &colour, &o.Logo.File, &o.Logo.Width, &o.Logo.Height); err != nil || colour == "" {
		return o, err
	}
	o.Colour, err = org.ParseColour(colour)
	return o, err
}

// SaveOrg stores an organization's name and brand; org.ErrNotFound.
func (tx *Tx) SaveOrg(ctx context.Context, o org.Organization) error {
	n, err := tx.exec(ctx, `update org set name = $1, colour = $2, logo = $3, logo_width = $4, logo_height = $5 where id = $6`,
		o.Name, o.Colour.String(), o.Logo.File, o.Logo.Width, o.Logo.Height, o.ID)
	if err == nil && n == 0 {
		err = org.ErrNotFound
	}
	return err
}

// LogoUsed reports whether any organization shows a logo.
func (v *View) LogoUsed(ctx context.Context, file string) (used bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from org where logo = $1)`, file).Scan(&used)
	return used, err
}

// Orgs lists every organization, oldest first.
func (v *View) Orgs(ctx context.Context) ([]org.Organization, error) {
	return collect(ctx, v, scanOrg, selectOrg+` order by created_at, id`)
}

// CreateUser adds a person; org.ErrEmailUsed.
func (tx *Tx) CreateUser(ctx context.Context, email, name string) (org.User, error) {
	u := org.User{ID: NewID(), Email: email, Name: name, CreatedAt: tx.at}
	_, err := tx.exec(ctx, `insert into person (id, email, name, created_at) values ($1, $2, $3, $4)`,
		u.ID, u.Email, u.Name, micros(u.CreatedAt))
	if err != nil && tx.d.uniqueViolation(err) {
		return org.User{}, org.ErrEmailUsed
	}
	return u, err
}

// UserByEmail finds a person; org.ErrNoUser.
func (v *View) UserByEmail(ctx context.Context, email string) (org.User, error) {
	u := org.User{Email: email}
	err := v.q.QueryRowContext(ctx, `select id, name, created_at from person where email = $1`, email).
		Scan(&u.ID, &u.Name, nullTime{&u.CreatedAt})
	return u, noRowsAs(err, org.ErrNoUser)
}

// SetMember makes a user a member of an organization, or changes the role.
func (tx *Tx) SetMember(ctx context.Context, orgID, userID string, role org.Role) error {
	_, err := tx.exec(ctx, `insert into member (org_id, user_id, role, created_at)
		values ($1, $2, $3, $4)
		on conflict (org_id, user_id) do update set role = excluded.role`, orgID, userID, role, micros(tx.at))
	return err
}

// RemoveMember removes a membership and the user's permissions on the organization's studies, so that a member who comes back
// starts without any; org.ErrNoUser when there is no membership.
func (tx *Tx) RemoveMember(ctx context.Context, orgID, userID string) error {
	n, err := tx.exec(ctx, `delete from member where org_id = $1 and user_id = $2`, orgID, userID)
	if err != nil {
		return err
	}
	if n == 0 {
		return org.ErrNoUser
	}
	// In this order: a concurrent GrantStudy locks the membership, so it either committed before and is seen now, or finds no
	// member.
	_, err = tx.exec(ctx, `delete from study_grant where user_id = $1 and study_id in (select id from study where org_id = $2)`, userID, orgID)
	return err
}

// Member finds a membership; org.ErrNoUser.
func (v *View) Member(ctx context.Context, orgID, userID string) (org.Membership, error) {
	m := org.Membership{OrgID: orgID, User: org.User{ID: userID}}
	err := v.q.QueryRowContext(ctx, `select m.role, p.email, p.name, p.created_at
		from member m
		join person p on p.id = m.user_id
		where m.org_id = $1 and m.user_id = $2`, orgID, userID).
		Scan(&m.Role, &m.User.Email, &m.User.Name, nullTime{&m.User.CreatedAt})
	return m, noRowsAs(err, org.ErrNoUser)
}

// Members lists an organization's members, oldest first.
func (v *View) Members(ctx context.Context, orgID string) ([]org.Membership, error) {
	return collect(ctx, v, func(r scanner) (org.Membership, error) {
		m := org.Membership{OrgID: orgID}
		return m, r.Scan(&m.Role, &m.User.ID, &m.User.Email, &m.User.Name, nullTime{&m.User.CreatedAt})
	}, `select m.role, p.id, p.email, p.name, p.created_at
		from member m
		join person p on p.id = m.user_id
		where m.org_id = $1
		order by m.created_at, p.id`, orgID)
}

// CreateKey stores a key by its hash.
func (tx *Tx) CreateKey(ctx context.Context, k org.Key, hash string) (org.Key, error) {
	k.ID, k.CreatedAt = NewID(), tx.at
	_, err := tx.exec(ctx, `insert into api_key (id, org_id, user_id, name, prefix, hash, created_at, expires_at, read_only)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		k.ID, k.OrgID, k.UserID, k.Name, k.Prefix, hash, micros(k.CreatedAt), micros(k.ExpiresAt), k.ReadOnly)
	return k, err
}

const keyColumns = `id, org_id, user_id, name, prefix, created_at, revoked_at, expires_at, last_used_at, read_only`

func scanKey(r scanner) (k org.Key, err error) {
	return k, r.Scan(&k.ID, &k.OrgID, &k.UserID, &k.Name, &k.Prefix, nullTime{&k.CreatedAt}, nullTime{&k.RevokedAt}, nullTime{&k.ExpiresAt}, nullTime{&k.LastUsedAt}, &k.ReadOnly)
}

// Keys lists an organization's keys, oldest first, revoked and expired ones included.
func (v *View) Keys(ctx context.Context, orgID string) ([]org.Key, error) {
	return collect(ctx, v, scanKey, `select `+keyColumns+` from api_key where org_id = $1 order by created_at, id`, orgID)
}

// RevokeKey revokes a key, named by its id or its hash, and returns it; org.ErrNoKey. Revoking it again keeps the first time.
func (tx *Tx) RevokeKey(ctx context.Context, id, hash string) (org.Key, error) {
	k, err := scanKey(tx.q.QueryRowContext(ctx, `update api_key
		set revoked_at = coalesce(revoked_at, $3)
		where id = $1 or hash = $2
		returning `+keyColumns, id, hash, micros(tx.at)))
	return k, noRowsAs(err, org.ErrNoKey)
}

// CallerByKey finds the caller of a key that is neither revoked nor expired; org.ErrNoKey. The role is empty for a former
// member.
func (v *View) CallerByKey(ctx context.Context, hash string) (c org.Caller, err error) {
	var role string
	err = v.q.QueryRowContext(ctx, `select k.id, k.org_id, k.user_id, k.read_only, m.role
		from api_key k
		left join member m on m.org_id = k.org_id and m.user_id = k.user_id
		where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`, hash, micros(v.now())).
		Scan(&c.KeyID, &c.OrgID, &c.UserID, &c.ReadOnly, nullText{&role})
	c.Role = org.Role(role)
	return c, noRowsAs(err, org.ErrNoKey)
}

// SaveKeyUse stores when a key was last used, unless a later use is stored already.
func (tx *Tx) SaveKeyUse(ctx context.Context, keyID string, at time.Time) error {
	_, err := tx.exec(ctx, `update api_key set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)`, keyID, micros(at))
	return err
}

// Key finds a key of an organization; org.ErrNoKey.
func (v *View) Key(ctx context.Context, orgID, id string) (org.Key, error) {
	k, err := scanKey(v.q.QueryRowContext(ctx, `select `+keyColumns+` from api_key where org_id = $1 and id = $2`, orgID, id))
	return k, noRowsAs(err, org.ErrNoKey)
}

// SaveKey stores the name and the limits of a key; org.ErrNoKey if it was revoked meanwhile.
func (tx *Tx) SaveKey(ctx context.Context, k org.Key) error {
	n, err := tx.exec(ctx, `update api_key set name = $1, read_only = $2, expires_at = $3 where id = $4 and org_id = $5 and revoked_at is null`,
		k.Name, k.ReadOnly, micros(k.ExpiresAt), k.ID, k.OrgID)
	if err == nil && n == 0 {
		err = org.ErrNoKey
	}
	return err
}
