-- +goose Up
-- The queue in which a job waits, which its kind decides (internal/service/jobs/kinds.go). Null: the queue is named like the
-- kind. Servers of the previous release enqueue so; they claim by kind, with job_turn and job_org, which go when none is left.
alter table job add column queue text;
create index job_queue_turn on job (coalesce(queue, kind), turn, run_at) where state = 'ready';
create index job_queue_org on job (coalesce(queue, kind), org_id, turn) where state = 'ready';

-- +goose Down
drop index job_queue_org;
drop index job_queue_turn;
alter table job drop column queue;
