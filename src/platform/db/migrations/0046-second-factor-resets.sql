-- Expand: the release before can still run.

-- A lost second factor that two people of staff reset (decision 39). Each part is written once: who requested it and why,
-- who approved it, how it ended. The state follows from these and the time.
create table second_factor_resets (
  id integer generated always as identity primary key,
  user_id integer not null references users (id),
  -- Both for staff alone: why, and how they checked who asks.
  reason text not null,
  identity_check text not null,
  -- Whether the account was one of staff when it was requested: then only owners could.
  of_staff boolean not null,
  requested_by integer not null references users (id),
  requested_at timestamp with time zone not null,
  approve_before timestamp with time zone not null,
  approved_by integer references users (id),
  approved_at timestamp with time zone,
  -- When the factors are removed.
  due_at timestamp with time zone,
  outcome text,
  ended_at timestamp with time zone,
  -- The user who stopped it, or who of staff cancelled it.
  ended_by integer references users (id),
  end_reason text,
  constraint second_factor_resets_two_people
    check (requested_by <> user_id and approved_by <> user_id and approved_by <> requested_by),
  constraint second_factor_resets_approved check (num_nulls(approved_by, approved_at, due_at) in (0, 3)),
  constraint second_factor_resets_ended check (num_nulls(outcome, ended_at) in (0, 2)),
  constraint second_factor_resets_outcome
    check (outcome in ('completed', 'expired', 'stopped', 'cancelled', 'factor_used', 'void')),
  constraint second_factor_resets_completed check (outcome <> 'completed' or approved_at is not null)
);
create unique index second_factor_resets_current on second_factor_resets (user_id) where ended_at is null;
create index second_factor_resets_user on second_factor_resets (user_id, id desc);
create index second_factor_resets_requested_by on second_factor_resets (requested_by);
create index second_factor_resets_approved_by on second_factor_resets (approved_by);
create index second_factor_resets_ended_by on second_factor_resets (ended_by);

create function protect_second_factor_reset() returns trigger language plpgsql as $$
declare
  ending constant text[] := array['outcome', 'ended_at', 'ended_by', 'end_reason'];
  approving constant text[] := array['approved_by', 'approved_at', 'due_at'];
begin
  if tg_op = 'UPDATE' then
    if old.ended_at is null and (
      to_jsonb(new) - ending = to_jsonb(old) - ending
      or (old.approved_at is null and to_jsonb(new) - approving = to_jsonb(old) - approving)
    ) then
      return new;
    end if;
  end if;
  raise exception 'what a reset of a second factor says is never changed or removed'
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger second_factor_resets_immutable before update or delete on second_factor_resets
  for each row execute function protect_second_factor_reset();
create trigger second_factor_resets_kept before truncate on second_factor_resets
  for each statement execute function reject_change();

alter table mail_tokens drop constraint mail_tokens_purpose_check;
alter table mail_tokens add constraint mail_tokens_purpose_check check (
  purpose in ('verify_email', 'reset_password', 'change_email_old', 'change_email_new', 'stop_second_factor_reset'));
