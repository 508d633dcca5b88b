-- +goose Up
-- Who may see and try the parts of the installation, besides the admins of the oldest organization.
create table instance_admin (
    user_id text not null primary key references person (id),
    granted_at bigint not null
);

-- Which recordings were played in which session, by the hour, so that the audit log has each once. A row is needed for an hour.
create table recording_play (
    recording_id text not null references recording (id) on delete cascade,
    session_id text not null,
    hour bigint not null,
    primary key (recording_id, session_id, hour)
);
create index recording_play_hour on recording_play (hour);

-- The audit log by person and by action.
create index audit_entry_user on audit_entry (org_id, user_id, seq);
create index audit_entry_action on audit_entry (org_id, action, seq);

-- The movements of a wallet in their order.
create index ledger_transfer_wallet on ledger_transfer (wallet_id, created_at, id);

-- +goose Down
drop index ledger_transfer_wallet;
drop index audit_entry_action;
drop index audit_entry_user;
drop table recording_play;
drop table instance_admin;
