-- Expand: the release before can still run.

-- Why a request may be believed. One row per kind and source; what was seen is text for people, never code.
create table prefix_evidence (
  id integer generated always as identity primary key,
  prefix_id integer not null references transit_prefixes (id) on delete cascade,
  kind text not null check (kind in (
    'roa', 'route_object', 'rdap_holder', 'rdap_contact', 'reverse_dns', 'inetnum_remark', 'rsc'
  )),
  source text not null,
  strength text not null check (strength in ('strong', 'medium', 'weak', 'contradicts')),
  seen text not null,
  observed_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  next_check_at timestamp with time zone,
  constraint prefix_evidence_once unique (prefix_id, kind, source)
);

-- First approvals that wait for a second person. They end with every change of the status.
create table prefix_approvals (
  prefix_id integer not null references transit_prefixes (id) on delete cascade,
  staff_id integer not null references users (id) on delete cascade,
  reason text not null,
  created_at timestamp with time zone not null,
  primary key (prefix_id, staff_id)
);
create index prefix_approvals_staff on prefix_approvals (staff_id);

create table prefix_policy (
  only_row boolean primary key default true check (only_row),
  automatic boolean not null default false,
  two_person boolean not null default false,
  established_days integer not null default 7 check (established_days between 0 and 3650),
  check_age_minutes integer not null default 15 check (check_age_minutes between 1 and 1440),
  open_requests integer not null default 20 check (open_requests between 1 and 500),
  requests_per_hour integer not null default 60 check (requests_per_hour between 1 and 10000),
  shortest4 integer not null default 16 check (shortest4 between 8 and 24),
  shortest6 integer not null default 29 check (shortest6 between 16 and 48),
  version integer not null default 1,
  changed_by integer references users (id) on delete set null,
  changed_at timestamp with time zone
);
insert into prefix_policy default values;

-- Read in order; the first rule that fits decides. `people` 0 is an approval without staff.
create table prefix_policy_rules (
  position integer primary key,
  name text not null,
  family integer check (family in (4, 6)),
  shorter_than integer check (shorter_than between 1 and 128),
  evidence text not null check (evidence in ('strong', 'medium', 'none')),
  people integer not null check (people between 0 and 2),
  reason boolean not null
);
insert into prefix_policy_rules (position, name, family, shorter_than, evidence, people, reason) values
  (1, 'IPv4 shorter than /16', 4, 16, 'none', 2, true),
  (2, 'IPv6 shorter than /29', 6, 29, 'none', 2, true),
  (3, 'Strong evidence', null, null, 'strong', 0, false),
  (4, 'Medium evidence', null, null, 'medium', 1, false),
  (5, 'Weak or no evidence', null, null, 'none', 2, true);

alter table transit_prefixes
  -- Holds its space against other customers without being approved.
  add column proven boolean not null default false,
  -- Approved while a source was silent: the first answer against it takes the approval back.
  add column approved_unknown boolean not null default false,
  -- Which rule of which version let it pass, and on what evidence.
  add column approval_basis jsonb;

-- A request that nobody has proved closes no space to anybody else.
alter table transit_prefixes drop constraint transit_prefixes_no_overlap;
alter table transit_prefixes add constraint transit_prefixes_no_overlap
  exclude using gist (value inet_ops with &&, user_id with <>)
  where (status = 'APPROVED' or (proven and status in ('PENDING', 'NEEDS_ACTION', 'SUSPENDED')));
