package store

import (
	"context"

	"verbatim/internal/domain/org"
)

// Credential returns a user, by mail address, with the hash of the password. Where there is no such user, or none with a password, hash is
// empty: one query answers all.
func (v *View) Credential(ctx context.Context, email string) (u org.User, hash string, err error) {
	err = v.q.QueryRowContext(ctx, `select coalesce(p.id, ''), coalesce(p.email, ''), coalesce(p.name, ''), p.created_at, coalesce(c.hash, '')
		from (select 1 as one) o
		left join person p on p.email = $1
		left join credential c on c.user_id = p.id`, email).
		Scan(&u.ID, &u.Email, &u.Name, nullTime{&u.CreatedAt}, &hash)
	return u, hash, err
}

// CredentialOf returns a user by id with the hash of the password, which is empty where there is none; org.ErrNoUser.
func (v *View) CredentialOf(ctx context.Context, userID string) (u org.User, hash string, err error) {
	err = v.q.QueryRowContext(ctx, `select p.id, p.email, p.name, p.created_at, coalesce(c.hash, '')
		from person p left join credential c on c.user_id = p.id
		where p.id = $1`, userID).
		Scan(&u.ID, &u.Email, &u.Name, nullTime{&u.CreatedAt}, &hash)
	return u, hash, noRowsAs(err, org.ErrNoUser)
}

// SaveCredential sets the hash of a user's password.
func (tx *Tx) SaveCredential(ctx context.Context, userID, hash string) error {
	_, err := tx.exec(ctx, `insert into credential (user_id, hash, changed_at)
		values ($1, $2, $3)
		on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`, userID, hash, micros(tx.at))
	return err
}

// RenameUser sets a user's name.
func (tx *Tx) RenameUser(ctx context.Context, userID, name string) error {
	_, err := tx.exec(ctx, `update person set name = $1 where id = $2`, name, userID)
	return err
}

// AdminCanSignIn reports whether an admin of any organization has a password.
func (v *View) AdminCanSignIn(ctx context.Context) (can bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1
		from credential c
		join member m on m.user_id = c.user_id
		where m.role = 'admin')`).Scan(&can)
	return can, err
}

// MembershipsOf lists the organizations of a user, oldest membership first, with their names.
func (v *View) MembershipsOf(ctx context.Context, userID string) ([]org.NamedMembership, error) {
	return collect(ctx, v, func(r scanner) (m org.NamedMembership, err error) { return m, r.Scan(&m.OrgID, &m.OrgName, &m.Role) },
		`select m.org_id, o.name, m.role
		from member m
		join org o on o.id = m.org_id
		where m.user_id = $1
		order by m.created_at, m.org_id`, userID)
}

// SigningMembers lists an organization's members, oldest first.
func (v *View) SigningMembers(ctx context.Context, orgID string) ([]org.SigningMember, error) {
	return collect(ctx, v, func(r scanner) (m org.SigningMember, err error) {
		m.OrgID = orgID
		return m, r.Scan(&m.Role, &m.User.ID, &m.User.Email, &m.User.Name, nullTime{&m.User.CreatedAt}, &m.HasPassword, &m.TwoStep, &m.Passkeys)
	}, `select m.role, p.id, p.email, p.name, p.created_at, c.user_id is not null, t.confirmed_at is not null,
			(select count(*) from passkey k where k.user_id = p.id)
		from member m
		join person p on p.id = m.user_id
		left join credential c on c.user_id = p.id
		left join two_step t on t.user_id = p.id
		where m.org_id = $1
		order by m.created_at, p.id`, orgID)
}

// LockOrg locks an organization's row, so that its memberships do not change under the transaction.
func (tx *Tx) LockOrg(ctx context.Context, orgID string) error {
	return tx.lock(ctx, `select id from org where id = $1`, orgID)
}

// StartSession stores a session by the hash of its token.
func (tx *Tx) StartSession(ctx context.Context, s org.Session, tokenHash string) (org.Session, error) {
	s.ID, s.CreatedAt, s.UsedAt, s.ConfirmedAt = NewID(), tx.at, tx.at, tx.at
	_, err := tx.exec(ctx, `insert into web_session (id, token_hash, user_id, browser, network, created_at, used_at, confirmed_at)
		values ($1, $2, $3, $4, $5, $6, $6, $6)`, s.ID, tokenHash, s.UserID, s.Browser, s.Network, micros(s.CreatedAt))
	return s, err
}

const selectSession = `select id, user_id, browser, network, created_at, used_at, confirmed_at from web_session `

func scanSession(r scanner) (s org.Session, err error) {
	return s, r.Scan(&s.ID, &s.UserID, &s.Browser, &s.Network, nullTime{&s.CreatedAt}, nullTime{&s.UsedAt}, nullTime{&s.ConfirmedAt})
}

// ConfirmSession notes that the person of a session proved now who they are; org.ErrNoSession if it has ended.
func (tx *Tx) ConfirmSession(ctx context.Context, id string) error {
	n, err := tx.exec(ctx, `update web_session set confirmed_at = $1 where id = $2`, micros(tx.at), id)
	return found(n, err, org.ErrNoSession)
}

// SessionByToken finds a session by the hash of its token, ended or not by its age; org.ErrNoSession.
func (v *View) SessionByToken(ctx context.Context, tokenHash string) (org.Session, error) {
	s, err := scanSession(v.q.QueryRowContext(ctx, selectSession+`where token_hash = $1`, tokenHash))
	return s, noRowsAs(err, org.ErrNoSession)
}

// Sessions lists a user's sessions, the last used first.
func (v *View) Sessions(ctx context.Context, userID string) ([]org.Session, error) {
	return collect(ctx, v, scanSession, selectSession+`where user_id = $1 order by used_at desc, id`, userID)
}

// UseSession notes that a session is used now.
func (tx *Tx) UseSession(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `update web_session set used_at = $1 where id = $2 and used_at < $1`, micros(tx.at), id)
	return err
}

// EndSession removes a session of a user; org.ErrNoSession.
func (tx *Tx) EndSession(ctx context.Context, userID, id string) error {
	n, err := tx.exec(ctx, `delete from web_session where id = $1 and user_id = $2`, id, userID)
	if err == nil && n == 0 {
		err = org.ErrNoSession
	}
	return err
}

// EndSessions removes all sessions of a user.
func (tx *Tx) EndSessions(ctx context.Context, userID string) error {
	_, err := tx.exec(ctx, `delete from web_session where user_id = $1`, userID)
	return err
}

// RemoveExpiredSignIns removes sessions, one-time tokens and answered challenges that have expired.
func (tx *Tx) RemoveExpiredSignIns(ctx context.Context) error {
	if _, err := tx.exec(ctx, `delete from web_session where used_at < $1 or created_at < $2`,
		micros(tx.at.Add(-org.SessionIdle)), micros(tx.at.Add(-org.SessionMax))); err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `delete from used_challenge where expires_at <= $1`, micros(tx.at)); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `delete from one_time_token where expires_at <= $1`, micros(tx.at))
	return err
}

const selectToken = `select id, kind, org_id, user_id, email, role, created_at, expires_at from one_time_token `

func scanToken(r scanner) (t org.Token, err error) {
	return t, r.Scan(&t.ID, &t.Kind, nullText{&t.OrgID}, nullText{&t.UserID}, &t.Email, &t.Role, nullTime{&t.CreatedAt}, nullTime{&t.ExpiresAt})
}

// CreateToken stores a one-time token by its hash.
func (tx *Tx) CreateToken(ctx context.Context, t org.Token, tokenHash string) (org.Token, error) {
	t.ID, t.CreatedAt, t.ExpiresAt = NewID(), tx.at, tx.at.Add(t.Kind.Lifetime())
	_, err := tx.exec(ctx, `insert into one_time_token (id, token_hash, kind, org_id, user_id, email, role, created_at, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		t.ID, tokenHash, t.Kind, nullIfEmpty(t.OrgID), nullIfEmpty(t.UserID), t.Email, t.Role, micros(t.CreatedAt), micros(t.ExpiresAt))
	return t, err
}

// Token finds a one-time token that has not expired; org.ErrNoToken.
func (v *View) Token(ctx context.Context, tokenHash string) (org.Token, error) {
	t, err := scanToken(v.q.QueryRowContext(ctx, selectToken+`where token_hash = $1 and expires_at > $2`, tokenHash, micros(v.now())))
	return t, noRowsAs(err, org.ErrNoToken)
}

// TakeToken uses up a one-time token of a kind; org.ErrNoToken. Of two transactions that take it one gets it.
func (tx *Tx) TakeToken(ctx context.Context, kind org.TokenKind, tokenHash string) (org.Token, error) {
	t, err := scanToken(tx.q.QueryRowContext(ctx, `delete from one_time_token
		where token_hash = $1 and kind = $2 and expires_at > $3
		returning id, kind, org_id, user_id, email, role, created_at, expires_at`, tokenHash, kind, micros(tx.at)))
	return t, noRowsAs(err, org.ErrNoToken)
}

// Invitations lists the open invitations of an organization, oldest first.
func (v *View) Invitations(ctx context.Context, orgID string) ([]org.Token, error) {
	return collect(ctx, v, scanToken, selectToken+`where org_id = $1 and kind = 'invitation' and expires_at > $2 order by created_at, id`, orgID, micros(v.now()))
}

// RemoveInvitation withdraws an invitation of an organization and returns it; org.ErrNoInvitation.
func (tx *Tx) RemoveInvitation(ctx context.Context, orgID, id string) (org.Token, error) {
	t, err := scanToken(tx.q.QueryRowContext(ctx, `delete from one_time_token
		where id = $1 and org_id = $2 and kind = 'invitation'
		returning id, kind, org_id, user_id, email, role, created_at, expires_at`, id, orgID))
	return t, noRowsAs(err, org.ErrNoInvitation)
}

// RemoveInvitations withdraws all invitations of a mail address to an organization.
func (tx *Tx) RemoveInvitations(ctx context.Context, orgID, email string) error {
	_, err := tx.exec(ctx, `delete from one_time_token where org_id = $1 and email = $2 and kind = 'invitation'`, orgID, email)
	return err
}

// RemoveTokens withdraws the one-time tokens of a kind: those of a user, or all where userID is empty.
func (tx *Tx) RemoveTokens(ctx context.Context, kind org.TokenKind, userID string) error {
	_, err := tx.exec(ctx, `delete from one_time_token where kind = $1 and ($2 = '' or user_id = $2)`, kind, userID)
	return err
}
