-- +goose Up
-- When the person of a session last proved who they are. Null: in an earlier version, which did not keep it.
alter table web_session add column confirmed_at bigint;

-- Passkeys of people. credential_id is how an authenticator names its key, in URL-safe base64. data is the credential record of WebAuthn as JSON:
-- the public key, the flags and the counter. Nothing of it is secret.
create table passkey (
    id text not null primary key,
    user_id text not null references person (id),
    credential_id text not null unique,
    name text not null,
    data text not null,
    created_at bigint not null,
    used_at bigint
);
create index passkey_user on passkey (user_id);

-- Challenges that were answered, by their hash, until they would have expired: none is answered twice.
create table used_challenge (
    hash text not null primary key,
    expires_at bigint not null
);
create index used_challenge_expiry on used_challenge (expires_at);

-- +goose Down
drop table used_challenge;
drop table passkey;
alter table web_session drop column confirmed_at;
