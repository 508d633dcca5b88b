-- +goose Up
-- Mails to people, as long as they wait and for thirty days after. content is what fills the text, sealed by the keyring, since it has links that
-- let people in; it is removed once the mail was sent or given up. about is the one-time token that a mail brings. org_id is null where nobody's
-- limit counts it. A request for a new password is kept as a mail, too, whether the address is known or not: its job finds out.
create table mail (
    id text not null primary key,
    org_id text references org (id),
    kind text not null,
    recipient text not null,
    language text not null,
    about text not null default '',
    content text not null default '',
    state text not null,
    attempts bigint not null default 0,
    problem text not null default '',
    created_at bigint not null,
    expires_at bigint not null,
    ended_at bigint
);
create index mail_recipient on mail (recipient, created_at);
create index mail_org on mail (org_id, created_at);
create index mail_about on mail (about);
create index mail_created on mail (created_at);

-- +goose Down
drop table mail;
