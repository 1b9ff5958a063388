-- What staff need to keep billing: dunning that waits, prices that are announced, tax rates that somebody has looked up.

-- While one is in force an account goes no step further; to a better stage it goes at any time.
create table dunning_holds (
  id integer generated always as identity primary key,
  user_id integer not null references billing_customers,
  -- Always ends by itself: a debt that everybody forgot helps nobody.
  until timestamptz not null,
  reason text not null,
  created_by integer references users,
  created_at timestamptz not null,
  lifted_at timestamptz,
  check (until > created_at)
);
create unique index dunning_holds_open on dunning_holds (user_id) where lifted_at is null;

-- Whom we told that something they have will cost more. A price that is taken back takes its notices with it.
alter table price_versions add column raises boolean not null default false;
create table price_notices (
  price_id integer not null references price_versions on delete cascade,
  user_id integer not null references users,
  told_at timestamptz not null,
  primary key (price_id, user_id)
);
alter table billing_settings
  add column price_notice_days smallint not null default 30 check (price_notice_days between 0 and 365);

alter table tax_rates
  add column source text,
  add column confirmed_on date,
  add column confirmed_by integer references users,
  add check (confirmed_on is null or source is not null);
update tax_rates set source = 'Written from memory with migration 0042; not looked up';

-- Revenue of a month; who has a plan now.
create index invoices_month on invoices (period_start);
create index router_spans_held on router_spans (plan_slug, user_id) where ended_at is null;
