-- +goose Up
-- The second step of signing in. secret is shared with the person's authenticator app, in base32; last_period is that of the newest code
-- that was used, so that none works twice. While confirmed_at is null the app has not proved that it knows the secret, and nothing is asked.
create table two_step (
    user_id text not null primary key references person (id),
    secret text not null,
    last_period bigint not null default 0,
    confirmed_at bigint
);

-- Codes for the day on which the app is lost, by their hash. A used one is deleted.
create table recovery_code (
    user_id text not null references person (id),
    code_hash text not null,
    primary key (user_id, code_hash)
);

-- +goose Down
drop table recovery_code;
drop table two_step;
