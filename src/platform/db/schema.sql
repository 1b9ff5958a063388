-- The schema after all migrations. Generated: npm run codegen.
-- Bodies of functions name tables that come later.
set check_function_bodies = off;

create extension btree_gist;

create extension pg_trgm;

CREATE OR REPLACE FUNCTION public.audit_field(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$function$
;

CREATE OR REPLACE FUNCTION public.count_prefix()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    insert into row_counts values ('prefixes ' || old.status, '-infinity', -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into row_counts values ('prefixes ' || new.status, '-infinity', 1);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' and old.closed_at is null then
    insert into row_counts
      select list, (old.created_at at time zone 'UTC')::date, -1
      from unnest(case when old.is_customer then array['users', 'customers'] else array['users'] end) list;
  end if;
  if tg_op <> 'DELETE' and new.closed_at is null then
    insert into row_counts
      select list, (new.created_at at time zone 'UTC')::date, 1
      from unnest(case when new.is_customer then array['users', 'customers'] else array['users'] end) list;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.link_audit_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  head audit_head;
  event audit_events;
begin
  if exists (select from audit_links where event_id = new.id) then return null; end if;
  -- The lock on the head is what orders the chain. A transaction on an older snapshot fails here to serialise, and is tried again.
  select * into strict head from audit_head for update;
  -- The first line of a transaction takes all of its lines along: a head written for each would be as many dead rows,
  -- read again for the next. Lines of a subtransaction have another xmin and come by themselves.
  for event in
    select e.* from audit_events e
    where e.id >= new.id and (e.id = new.id or e.xmin = pg_current_xact_id()::xid)
      and not exists (select from audit_links l where l.event_id = e.id)
    order by e.id
  loop
    insert into audit_links (position, event_id, prev_hash, hash)
      values (head.position + 1, event.id, head.hash, audit_hash(head.position + 1, head.hash, event))
      returning position, hash into head.position, head.hash;
  end loop;
  update audit_head set position = head.position, hash = head.hash;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.new_account()
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  opened integer;
begin
  insert into accounts default values returning id into opened;
  return opened;
end $function$
;

CREATE OR REPLACE FUNCTION public.protect_issued_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    raise exception 'an invoice is never removed: write a credit note' using errcode = 'integrity_constraint_violation';
  end if;
  if old.number is not null and (
    old.number, old.account_id, old.currency, old.kind, old.period_start, old.period_end, old.subtotal, old.tax, old.total,
    old.tax_rule, old.tax_rate, old.seller, old.buyer, old.issued_at, old.due_at, old.series, old.serial
  ) is distinct from (
    new.number, new.account_id, new.currency, new.kind, new.period_start, new.period_end, new.subtotal, new.tax, new.total,
    new.tax_rule, new.tax_rate, new.seller, new.buyer, new.issued_at, new.due_at, new.series, new.serial
  ) then
    raise exception 'an issued invoice is never changed: write a credit note'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.protect_loa()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    if old.revoked_at is null and to_jsonb(new) - 'revoked_at' = to_jsonb(old) - 'revoked_at' then
      return new;
    end if;
  end if;
  raise exception 'a letter of authorization is never changed or removed: it is revoked'
    using errcode = 'integrity_constraint_violation';
end $function$
;

CREATE OR REPLACE FUNCTION public.protect_second_factor_reset()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.reject_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is never changed or removed: write the opposite beside it', tg_table_name
    using errcode = 'integrity_constraint_violation';
end $function$
;

CREATE OR REPLACE FUNCTION public.require_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from written group by transaction_id having sum(amount) <> 0) then
    raise exception 'debits and credits of a ledger transaction must be equal'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.sync_is_customer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    update users set is_customer = false where account_id = old.account_id and is_customer;
  else
    update users set is_customer = new.may_be_billed where account_id = new.account_id and is_customer <> new.may_be_billed;
  end if;
  return null;
end $function$
;

create table account_billing_status (
  account_id integer not null,
  may_be_billed boolean not null default false,
  suspended boolean not null default false,
  reason text,
  updated_at timestamp with time zone not null default now(),
  transit text not null default 'normal'::text,
  constraint account_billing_status_pkey PRIMARY KEY (account_id),
  constraint account_billing_status_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint account_billing_status_transit_check CHECK ((transit = ANY (ARRAY['normal'::text, 'drained'::text, 'closed'::text])))
);
CREATE INDEX account_billing_status_suspended ON public.account_billing_status USING btree (account_id) WHERE suspended;
CREATE TRIGGER account_billing_status_kept AFTER INSERT OR DELETE OR UPDATE OF may_be_billed ON public.account_billing_status FOR EACH ROW EXECUTE FUNCTION sync_is_customer();

create table account_suspensions (
  id integer not null generated always as identity,
  account_id integer not null,
  reason text not null,
  suspended_by integer not null,
  suspended_at timestamp with time zone not null,
  lifted_by integer,
  lifted_at timestamp with time zone,
  lift_reason text,
  constraint account_suspensions_pkey PRIMARY KEY (id),
  constraint account_suspensions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint account_suspensions_lifted_by_fkey FOREIGN KEY (lifted_by) REFERENCES users(id),
  constraint account_suspensions_suspended_by_fkey FOREIGN KEY (suspended_by) REFERENCES users(id),
  constraint account_suspensions_lifted CHECK ((num_nulls(lifted_by, lifted_at, lift_reason) = ANY (ARRAY[0, 3])))
);
CREATE INDEX account_suspensions_account ON public.account_suspensions USING btree (account_id, id DESC);
CREATE UNIQUE INDEX account_suspensions_current ON public.account_suspensions USING btree (account_id) WHERE (lifted_at IS NULL);
CREATE INDEX account_suspensions_lifted_by ON public.account_suspensions USING btree (lifted_by);
CREATE INDEX account_suspensions_suspended_by ON public.account_suspensions USING btree (suspended_by);

create table accounts (
  id integer not null generated always as identity,
  created_at timestamp with time zone not null default now(),
  constraint accounts_pkey PRIMARY KEY (id)
);

create table address_leases (
  router_id integer not null,
  pool_id integer not null,
  host_number integer not null,
  address4 inet not null,
  address6 inet not null,
  constraint address_leases_pkey PRIMARY KEY (router_id),
  constraint address_leases_address4_key UNIQUE (address4),
  constraint address_leases_address6_key UNIQUE (address6),
  constraint address_leases_pool_id_host_number_key UNIQUE (pool_id, host_number),
  constraint address_leases_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES address_pools(id),
  constraint address_leases_router_id_fkey FOREIGN KEY (router_id) REFERENCES routers(id) ON DELETE CASCADE,
  constraint address_leases_host_number_check CHECK ((host_number > 0))
);
CREATE INDEX address_leases_text4 ON public.address_leases USING btree (host(address4) text_pattern_ops);
CREATE INDEX address_leases_text6 ON public.address_leases USING btree (host(address6) text_pattern_ops);

create table address_pools (
  id integer not null generated always as identity,
  site_id integer not null,
  prefix4 cidr not null,
  gateway4 inet not null,
  prefix6 cidr not null,
  gateway6 inet not null,
  closed_at timestamp with time zone,
  constraint address_pools_pkey PRIMARY KEY (id),
  constraint address_pools_prefix4_key UNIQUE (prefix4),
  constraint address_pools_prefix6_key UNIQUE (prefix6),
  constraint address_pools_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id),
  constraint address_pools_check CHECK ((gateway4 << (prefix4)::inet)),
  constraint address_pools_check1 CHECK ((gateway6 << (prefix6)::inet)),
  constraint address_pools_prefix4_check CHECK (((family((prefix4)::inet) = 4) AND ((masklen((prefix4)::inet) >= 8) AND (masklen((prefix4)::inet) <= 30)))),
  constraint address_pools_prefix6_check CHECK (((family((prefix6)::inet) = 6) AND ((masklen((prefix6)::inet) >= 32) AND (masklen((prefix6)::inet) <= 96))))
);
CREATE INDEX address_pools_site ON public.address_pools USING btree (site_id);

create table agent_authority (
  id boolean not null default true,
  certificate text not null,
  encrypted_key bytea not null,
  constraint agent_authority_pkey PRIMARY KEY (id),
  constraint agent_authority_id_check CHECK (id)
);

create table agent_tokens (
  kind text not null,
  slug text not null,
  digest bytea not null,
  expires_at timestamp with time zone not null,
  constraint agent_tokens_pkey PRIMARY KEY (kind, slug),
  constraint agent_tokens_digest_key UNIQUE (digest),
  constraint agent_tokens_kind_check CHECK ((kind = ANY (ARRAY['hypervisor'::text, 'edge'::text]))),
  constraint agent_tokens_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text))
);

create table agents (
  id integer not null generated always as identity,
  kind text not null,
  slug text not null,
  key_digest text not null,
  enrolled_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  connected_at timestamp with time zone,
  seen_at timestamp with time zone,
  release text,
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_key_digest_key UNIQUE (key_digest),
  constraint agents_key_digest_check CHECK ((key_digest ~ '^[0-9a-f]{64}$'::text)),
  constraint agents_kind_check CHECK ((kind = ANY (ARRAY['hypervisor'::text, 'edge'::text]))),
  constraint agents_release_check CHECK ((char_length(release) <= 100)),
  constraint agents_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text))
);
CREATE UNIQUE INDEX agents_accepted ON public.agents USING btree (kind, slug) WHERE (revoked_at IS NULL);
CREATE INDEX agents_of ON public.agents USING btree (kind, slug, id DESC);

create table api_tokens (
  id integer not null generated always as identity,
  digest bytea not null,
  user_id integer not null,
  name text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_used_ip inet,
  scopes text[] not null,
  networks cidr[] not null,
  constraint api_tokens_pkey PRIMARY KEY (id),
  constraint api_tokens_digest_key UNIQUE (digest),
  constraint api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint api_tokens_digest_check CHECK ((octet_length(digest) = 32))
);
CREATE INDEX api_tokens_user ON public.api_tokens USING btree (user_id, id);

create table asn_ownerships (
  account_id integer not null,
  asn bigint not null,
  claimed_at timestamp with time zone not null default now(),
  verified_at timestamp with time zone,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone,
  risk text,
  at_risk_since timestamp with time zone,
  lapses_at timestamp with time zone,
  reminded_at timestamp with time zone,
  lapsed_at timestamp with time zone,
  silent_since timestamp with time zone,
  constraint asn_ownerships_pkey PRIMARY KEY (account_id),
  constraint asn_ownerships_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint asn_ownerships_asn_check CHECK (((asn >= 1) AND (asn <= '4294967294'::bigint))),
  constraint asn_ownerships_doubt CHECK ((((risk IS NULL) = (at_risk_since IS NULL)) AND ((risk IS NULL) = (lapses_at IS NULL)))),
  constraint asn_ownerships_lapsed CHECK (((lapsed_at IS NULL) OR (verified_at IS NULL))),
  constraint asn_ownerships_risk_check CHECK ((risk = ANY (ARRAY['expired'::text, 'holder_changed'::text, 'unallocated'::text])))
);
CREATE INDEX asn_ownerships_asn ON public.asn_ownerships USING btree (asn);
CREATE INDEX asn_ownerships_due ON public.asn_ownerships USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX asn_ownerships_unverified ON public.asn_ownerships USING btree (account_id DESC) WHERE (verified_at IS NULL);
CREATE UNIQUE INDEX asn_ownerships_verified ON public.asn_ownerships USING btree (asn) WHERE (verified_at IS NOT NULL);

create table asn_verifications (
  id integer not null generated always as identity,
  account_id integer not null,
  asn bigint not null,
  method text not null,
  strength text not null,
  contact_email text,
  contact_source text,
  requested_by integer,
  created_at timestamp with time zone not null,
  link_expires_at timestamp with time zone,
  voided_at timestamp with time zone,
  verified_at timestamp with time zone,
  valid_until timestamp with time zone,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone,
  result text,
  holder_handles text[],
  holder_name text,
  contradicted_at timestamp with time zone,
  round integer not null default 0,
  constraint asn_verifications_pkey PRIMARY KEY (id),
  constraint asn_verifications_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint asn_verifications_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint asn_verifications_method_check CHECK ((method = ANY (ARRAY['autnum_token'::text, 'registry_contact'::text, 'peeringdb'::text, 'staff'::text]))),
  constraint asn_verifications_round_check CHECK ((round >= 0)),
  constraint asn_verifications_strength_check CHECK ((strength = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text])))
);
CREATE INDEX asn_verifications_account ON public.asn_verifications USING btree (account_id, id DESC);
CREATE INDEX asn_verifications_due ON public.asn_verifications USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE UNIQUE INDEX asn_verifications_token ON public.asn_verifications USING btree (account_id, asn) WHERE ((method = 'autnum_token'::text) AND (voided_at IS NULL));

create table audit_events (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor_id bigint,
  actor_kind text not null,
  action text not null,
  subject_type text not null,
  subject_id bigint,
  account_id bigint,
  ip inet,
  request_id text,
  data jsonb not null default '{}'::jsonb,
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint audit_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'staff'::text, 'system'::text])))
);
CREATE INDEX audit_events_account ON public.audit_events USING btree (account_id, id DESC) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_events_action ON public.audit_events USING btree (action, id DESC);
CREATE INDEX audit_events_actor ON public.audit_events USING btree (actor_id, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_events_at ON public.audit_events USING btree (at, id);
CREATE INDEX audit_events_ip ON public.audit_events USING btree (ip, id DESC) WHERE (ip IS NOT NULL);
CREATE INDEX audit_events_request ON public.audit_events USING btree (request_id, id DESC) WHERE (request_id IS NOT NULL);
CREATE INDEX audit_events_subject ON public.audit_events USING btree (subject_type, subject_id, id DESC);
CREATE TRIGGER audit_events_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_events FOR EACH STATEMENT EXECUTE FUNCTION reject_change();
CREATE CONSTRAINT TRIGGER audit_events_link AFTER INSERT ON public.audit_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION link_audit_event();

create table audit_head (
  id smallint not null,
  "position" bigint not null,
  hash bytea not null,
  constraint audit_head_pkey PRIMARY KEY (id),
  constraint audit_head_hash_check CHECK ((octet_length(hash) = 32)),
  constraint audit_head_id_check CHECK ((id = 1))
);
CREATE TRIGGER audit_head_immutable BEFORE INSERT OR DELETE OR TRUNCATE ON public.audit_head FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table audit_links (
  "position" bigint not null,
  event_id bigint not null,
  prev_hash bytea not null,
  hash bytea not null,
  constraint audit_links_pkey PRIMARY KEY ("position"),
  constraint audit_links_event_id_key UNIQUE (event_id),
  constraint audit_links_hash_check CHECK ((octet_length(hash) = 32)),
  constraint audit_links_position_check CHECK (("position" > 0)),
  constraint audit_links_prev_hash_check CHECK ((octet_length(prev_hash) = 32))
);
CREATE TRIGGER audit_links_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_links FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table audit_verifications (
  id integer not null generated always as identity,
  requested_by integer,
  requested_at timestamp with time zone not null,
  "position" bigint not null default 0,
  total bigint not null,
  finished_at timestamp with time zone,
  head_hash text,
  faults text[],
  constraint audit_verifications_pkey PRIMARY KEY (id),
  constraint audit_verifications_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint audit_verifications_check CHECK (((finished_at IS NULL) = (faults IS NULL))),
  constraint audit_verifications_head_hash_check CHECK ((head_hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX audit_verifications_finished ON public.audit_verifications USING btree (finished_at DESC) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX audit_verifications_one ON public.audit_verifications USING btree ((true)) WHERE (finished_at IS NULL);

create table billing_customers (
  account_id integer not null,
  currency text not null,
  company text,
  street text,
  postal_code text,
  city text,
  country text,
  vat_id text,
  vat_status text not null default 'NONE'::text,
  vat_checked_at timestamp with time zone,
  vat_holder text,
  vat_consultation text,
  vat_due_at timestamp with time zone,
  vat_failures integer not null default 0,
  billed_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint billing_customers_pkey PRIMARY KEY (account_id),
  constraint billing_customers_account_id_currency_key UNIQUE (account_id, currency),
  constraint billing_customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint billing_customers_check CHECK (((vat_id IS NULL) = (vat_status = 'NONE'::text))),
  constraint billing_customers_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint billing_customers_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint billing_customers_vat_id_check CHECK ((vat_id ~ '^[A-Z]{2}[0-9A-Z+*]{2,12}$'::text)),
  constraint billing_customers_vat_status_check CHECK ((vat_status = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'VALID'::text, 'INVALID'::text])))
);
CREATE INDEX billing_customers_vat ON public.billing_customers USING btree (vat_due_at) WHERE (vat_due_at IS NOT NULL);

create table billing_discounts (
  id integer not null generated always as identity,
  account_id integer not null,
  description text not null,
  percent integer not null,
  scope text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  created_by integer,
  created_at timestamp with time zone not null default now(),
  constraint billing_discounts_pkey PRIMARY KEY (id),
  constraint billing_discounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES billing_customers(account_id),
  constraint billing_discounts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint billing_discounts_check CHECK ((ends_at > starts_at)),
  constraint billing_discounts_percent_check CHECK (((percent >= 1) AND (percent <= 10000))),
  constraint billing_discounts_scope_check CHECK ((scope = ANY (ARRAY['ALL'::text, 'ROUTERS'::text, 'TRANSIT'::text])))
);
CREATE INDEX billing_discounts_account ON public.billing_discounts USING btree (account_id);

create table billing_items (
  id integer not null generated always as identity,
  account_id integer not null,
  currency text not null,
  kind text not null,
  description text not null,
  amount bigint not null,
  effective_at timestamp with time zone not null,
  billed bigint not null default 0,
  created_by integer,
  created_at timestamp with time zone not null default now(),
  cancelled_at timestamp with time zone,
  product text,
  reference text,
  constraint billing_items_pkey PRIMARY KEY (id),
  constraint billing_items_reference_key UNIQUE (reference),
  constraint billing_items_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES billing_customers(account_id, currency),
  constraint billing_items_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint billing_items_amount_check CHECK ((amount > 0)),
  constraint billing_items_check CHECK (((billed >= 0) AND (billed <= amount))),
  constraint billing_items_check1 CHECK (((cancelled_at IS NULL) OR (billed = 0))),
  constraint billing_items_check2 CHECK (((reference IS NULL) OR (product IS NOT NULL))),
  constraint billing_items_kind_check CHECK ((kind = ANY (ARRAY['FEE'::text, 'CREDIT'::text])))
);
CREATE INDEX billing_items_open ON public.billing_items USING btree (account_id) WHERE ((billed < amount) AND (cancelled_at IS NULL));

create table billing_pauses (
  account_id integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint billing_pauses_pkey PRIMARY KEY (account_id, starts_at),
  constraint billing_pauses_account_id_fkey FOREIGN KEY (account_id) REFERENCES billing_customers(account_id),
  constraint billing_pauses_check CHECK ((ends_at >= starts_at))
);
CREATE UNIQUE INDEX billing_pauses_open ON public.billing_pauses USING btree (account_id) WHERE (ends_at IS NULL);

create table billing_runs (
  period_start timestamp with time zone not null,
  reached integer not null default 0,
  invoices integer not null default 0,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint billing_runs_pkey PRIMARY KEY (period_start)
);

create table billing_settings (
  id smallint not null,
  currency text not null default 'EUR'::text,
  company text,
  street text,
  postal_code text,
  city text,
  country text,
  vat_id text,
  registration text,
  charges_tax boolean not null default false,
  one_stop_shop boolean not null default false,
  series_prefix text not null default 'INV'::text,
  payment_days smallint not null default 14,
  reminder_days smallint not null default 1,
  warning_days smallint not null default 10,
  drain_days smallint not null default 14,
  sessions_down_days smallint not null default 15,
  suspend_days smallint not null default 17,
  termination_days smallint not null default 45,
  new_account_routers smallint not null default 25,
  new_account_owed bigint not null default 100000,
  price_notice_days smallint not null default 30,
  constraint billing_settings_pkey PRIMARY KEY (id),
  constraint billing_settings_check CHECK (((0 <= reminder_days) AND (reminder_days < warning_days) AND (warning_days < drain_days) AND (drain_days < sessions_down_days) AND (sessions_down_days <= suspend_days) AND (suspend_days < termination_days))),
  constraint billing_settings_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint billing_settings_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint billing_settings_id_check CHECK ((id = 1)),
  constraint billing_settings_new_account_owed_check CHECK ((new_account_owed >= 0)),
  constraint billing_settings_new_account_routers_check CHECK ((new_account_routers >= 0)),
  constraint billing_settings_payment_days_check CHECK (((payment_days >= 0) AND (payment_days <= 90))),
  constraint billing_settings_price_notice_days_check CHECK (((price_notice_days >= 0) AND (price_notice_days <= 365))),
  constraint billing_settings_series_prefix_check CHECK ((series_prefix ~ '^[A-Z0-9]{1,8}$'::text))
);

create table console_tickets (
  digest bytea not null,
  router_id integer not null,
  user_id integer not null,
  session_id integer,
  kind text not null,
  expires_at timestamp with time zone not null,
  token_id integer,
  constraint console_tickets_pkey PRIMARY KEY (digest),
  constraint console_tickets_router_id_fkey FOREIGN KEY (router_id) REFERENCES routers(id) ON DELETE CASCADE,
  constraint console_tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint console_tickets_digest_check CHECK ((octet_length(digest) = 32)),
  constraint console_tickets_kind_check CHECK ((kind = ANY (ARRAY['serial'::text, 'display'::text])))
);
CREATE INDEX console_tickets_expiry ON public.console_tickets USING btree (expires_at);
CREATE INDEX console_tickets_router ON public.console_tickets USING btree (router_id);

create table dunning (
  account_id integer not null,
  stage text not null default 'CURRENT'::text,
  since timestamp with time zone not null,
  checked_at timestamp with time zone,
  constraint dunning_pkey PRIMARY KEY (account_id),
  constraint dunning_account_id_fkey FOREIGN KEY (account_id) REFERENCES billing_customers(account_id),
  constraint dunning_stage_check CHECK ((stage = ANY (ARRAY['CURRENT'::text, 'REMINDED'::text, 'WARNED'::text, 'DRAINED'::text, 'SESSIONS_DOWN'::text, 'SUSPENDED'::text, 'TERMINATED'::text])))
);
CREATE INDEX dunning_checked ON public.dunning USING btree (checked_at NULLS FIRST);
CREATE INDEX dunning_stage ON public.dunning USING btree (stage) WHERE (stage <> 'CURRENT'::text);

create table dunning_pauses (
  id integer not null generated always as identity,
  account_id integer not null,
  until timestamp with time zone not null,
  reason text not null,
  created_by integer,
  created_at timestamp with time zone not null,
  lifted_at timestamp with time zone,
  constraint dunning_pauses_pkey PRIMARY KEY (id),
  constraint dunning_pauses_account_id_fkey FOREIGN KEY (account_id) REFERENCES billing_customers(account_id),
  constraint dunning_pauses_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint dunning_pauses_check CHECK ((until > created_at))
);
CREATE UNIQUE INDEX dunning_pauses_open ON public.dunning_pauses USING btree (account_id) WHERE (lifted_at IS NULL);

create unlogged table edge_questions (
  id bigint not null generated always as identity,
  edge_id integer not null,
  account_id integer not null,
  asked_at timestamp with time zone not null default now(),
  question jsonb not null,
  answer jsonb,
  constraint edge_questions_pkey PRIMARY KEY (id),
  constraint edge_questions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint edge_questions_edge_id_fkey FOREIGN KEY (edge_id) REFERENCES transit_edges(id) ON DELETE CASCADE
);
CREATE INDEX edge_questions_asked ON public.edge_questions USING btree (asked_at);
CREATE INDEX edge_questions_waiting ON public.edge_questions USING btree (edge_id, id) WHERE (answer IS NULL);

create table email_changes (
  user_id integer not null,
  new_email text not null,
  old_confirmed_at timestamp with time zone,
  new_confirmed_at timestamp with time zone,
  constraint email_changes_pkey PRIMARY KEY (user_id),
  constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint email_changes_new_email_check CHECK (((new_email = lower(new_email)) AND (length(new_email) <= 254)))
);

create table hypervisor_agents (
  slug text not null,
  installation uuid,
  url text,
  waiting text,
  waiting_at timestamp with time zone,
  constraint hypervisor_agents_pkey PRIMARY KEY (slug),
  constraint hypervisor_agents_installation_key UNIQUE (installation),
  constraint hypervisor_agents_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text)),
  constraint hypervisor_agents_url_check CHECK ((char_length(url) <= 500)),
  constraint hypervisor_agents_waiting_check CHECK ((char_length(waiting) <= 500))
);

create table hypervisor_slots (
  hypervisor_id integer not null,
  slot timestamp with time zone not null,
  readings integer not null default 0,
  cpu_usage real not null default 0,
  memory_usage real not null default 0,
  seconds real not null default 0,
  rx_bytes bigint not null default 0,
  tx_bytes bigint not null default 0,
  constraint hypervisor_slots_pkey PRIMARY KEY (hypervisor_id, slot),
  constraint hypervisor_slots_hypervisor_id_fkey FOREIGN KEY (hypervisor_id) REFERENCES hypervisors(id) ON DELETE CASCADE
);
CREATE INDEX hypervisor_slots_age ON public.hypervisor_slots USING brin (slot);

create table hypervisors (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  site_id integer not null,
  driver text not null,
  cpus integer not null,
  cpu_overcommit numeric(4,2) not null default 4,
  memory integer not null,
  disk integer not null,
  drained boolean not null default false,
  connected boolean not null default false,
  connected_at timestamp with time zone,
  fault text,
  cpu_usage real,
  memory_usage real,
  facts jsonb not null default '{}'::jsonb,
  drained_at timestamp with time zone,
  drained_from integer,
  drain_reason text,
  images jsonb,
  port_rules_error text,
  memory_reserve integer,
  answered_at timestamp with time zone,
  constraint hypervisors_pkey PRIMARY KEY (id),
  constraint hypervisors_slug_key UNIQUE (slug),
  constraint hypervisors_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id),
  constraint hypervisors_cpu_overcommit_check CHECK ((cpu_overcommit > (0)::numeric)),
  constraint hypervisors_cpu_usage_check CHECK (((cpu_usage >= (0)::double precision) AND (cpu_usage <= (1)::double precision))),
  constraint hypervisors_cpus_check CHECK ((cpus > 0)),
  constraint hypervisors_disk_check CHECK ((disk > 0)),
  constraint hypervisors_drain_reason_check CHECK ((char_length(drain_reason) <= 500)),
  constraint hypervisors_driver_check CHECK ((driver = ANY (ARRAY['libvirt'::text, 'simulated'::text]))),
  constraint hypervisors_memory_check CHECK ((memory > 0)),
  constraint hypervisors_memory_reserve_check CHECK ((memory_reserve >= 0)),
  constraint hypervisors_memory_usage_check CHECK (((memory_usage >= (0)::double precision) AND (memory_usage <= (1)::double precision))),
  constraint hypervisors_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text))
);
CREATE UNIQUE INDEX hypervisors_name ON public.hypervisors USING btree (lower(btrim(name)));
CREATE INDEX hypervisors_site ON public.hypervisors USING btree (site_id);

create table idempotency_keys (
  caller text not null,
  key text not null,
  endpoint text not null,
  body_digest bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamp with time zone not null default now(),
  owner text not null default current_setting('application_name'::text),
  constraint idempotency_keys_pkey PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

create table images (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  description text not null,
  source text not null,
  "position" integer not null default 0,
  retired_at timestamp with time zone,
  constraint images_pkey PRIMARY KEY (id),
  constraint images_slug_key UNIQUE (slug),
  constraint images_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,60}$'::text))
);
CREATE UNIQUE INDEX images_name ON public.images USING btree (lower(btrim(name)));

create table impersonation_sessions (
  id integer not null generated always as identity,
  staff_id integer not null,
  session_id integer,
  user_id integer not null,
  reason text not null,
  started_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  elevated_reason text,
  elevated_until timestamp with time zone,
  ended_at timestamp with time zone,
  constraint impersonation_sessions_pkey PRIMARY KEY (id),
  constraint impersonation_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL,
  constraint impersonation_sessions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES users(id),
  constraint impersonation_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint impersonation_sessions_check CHECK ((staff_id <> user_id)),
  constraint impersonation_sessions_check1 CHECK (((elevated_reason IS NULL) = (elevated_until IS NULL))),
  constraint impersonation_sessions_elevated_reason_check CHECK (((length(elevated_reason) >= 10) AND (length(elevated_reason) <= 500))),
  constraint impersonation_sessions_reason_check CHECK (((length(reason) >= 10) AND (length(reason) <= 500)))
);
CREATE INDEX impersonation_sessions_open ON public.impersonation_sessions USING btree (expires_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX impersonation_sessions_session ON public.impersonation_sessions USING btree (session_id) WHERE (ended_at IS NULL);
CREATE INDEX impersonation_sessions_user ON public.impersonation_sessions USING btree (user_id, id);

create table invoice_lines (
  invoice_id integer not null,
  "position" smallint not null,
  kind text not null,
  subject text not null,
  description text not null,
  quantity numeric(20,6) not null,
  unit text not null,
  unit_price bigint not null,
  amount bigint not null,
  evidence jsonb not null default '{}'::jsonb,
  item_id integer,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  constraint invoice_lines_pkey PRIMARY KEY (invoice_id, "position"),
  constraint invoice_lines_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id),
  constraint invoice_lines_item_id_fkey FOREIGN KEY (item_id) REFERENCES billing_items(id),
  constraint invoice_lines_kind_check CHECK ((kind = ANY (ARRAY['ROUTER'::text, 'CAP'::text, 'ADDRESS'::text, 'COMMIT'::text, 'OVERAGE'::text, 'FEE'::text, 'DISCOUNT'::text, 'CREDIT'::text]))),
  constraint invoice_lines_time_check CHECK ((((starts_at IS NULL) = (ends_at IS NULL)) AND (starts_at <= ends_at)))
);
CREATE TRIGGER invoice_lines_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.invoice_lines FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table invoice_series (
  series text not null,
  next integer not null,
  constraint invoice_series_pkey PRIMARY KEY (series),
  constraint invoice_series_next_check CHECK ((next > 0))
);

create table invoices (
  id integer not null generated always as identity,
  account_id integer not null,
  currency text not null,
  kind text not null,
  reason text not null,
  status text not null,
  series text,
  serial integer,
  number text,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  subtotal bigint not null,
  tax bigint not null,
  total bigint not null,
  tax_rule text,
  tax_rate integer,
  seller jsonb not null default '{}'::jsonb,
  buyer jsonb not null default '{}'::jsonb,
  corrects_id integer,
  created_at timestamp with time zone not null,
  issued_at timestamp with time zone,
  due_at timestamp with time zone,
  paid_at timestamp with time zone,
  mailed_at timestamp with time zone,
  charge_at timestamp with time zone,
  attempts smallint not null default 0,
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_number_key UNIQUE (number),
  constraint invoices_series_serial_key UNIQUE (series, serial),
  constraint invoices_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES billing_customers(account_id, currency),
  constraint invoices_corrects_id_fkey FOREIGN KEY (corrects_id) REFERENCES invoices(id),
  constraint invoices_series_fkey FOREIGN KEY (series) REFERENCES invoice_series(series),
  constraint invoices_check CHECK ((period_end > period_start)),
  constraint invoices_check1 CHECK ((total = (subtotal + tax))),
  constraint invoices_check2 CHECK (((status = 'DRAFT'::text) = (number IS NULL))),
  constraint invoices_check3 CHECK (((number IS NULL) = (issued_at IS NULL))),
  constraint invoices_check4 CHECK (((kind = 'CREDIT_NOTE'::text) = (corrects_id IS NOT NULL))),
  constraint invoices_kind_check CHECK ((kind = ANY (ARRAY['INVOICE'::text, 'CREDIT_NOTE'::text]))),
  constraint invoices_reason_check CHECK ((reason = ANY (ARRAY['MONTHLY'::text, 'CLOSING'::text, 'CORRECTION'::text]))),
  constraint invoices_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'OPEN'::text, 'PAID'::text, 'VOID'::text, 'UNCOLLECTIBLE'::text]))),
  constraint invoices_tax_rule_check CHECK ((tax_rule = ANY (ARRAY['NONE'::text, 'DOMESTIC'::text, 'ONE_STOP_SHOP'::text, 'REVERSE_CHARGE'::text, 'OUTSIDE'::text])))
);
CREATE INDEX invoices_account ON public.invoices USING btree (account_id, id DESC);
CREATE INDEX invoices_by_issued ON public.invoices USING btree (COALESCE(issued_at, 'infinity'::timestamp with time zone), id);
CREATE INDEX invoices_by_total ON public.invoices USING btree (total, id);
CREATE INDEX invoices_charge ON public.invoices USING btree (charge_at) WHERE ((status = 'OPEN'::text) AND (charge_at IS NOT NULL));
CREATE INDEX invoices_corrects ON public.invoices USING btree (corrects_id) WHERE (corrects_id IS NOT NULL);
CREATE INDEX invoices_draft ON public.invoices USING btree (id) WHERE (status = 'DRAFT'::text);
CREATE INDEX invoices_due ON public.invoices USING btree (due_at) WHERE (status = 'OPEN'::text);
CREATE INDEX invoices_month ON public.invoices USING btree (period_start);
CREATE INDEX invoices_number_beginning ON public.invoices USING btree (number text_pattern_ops) WHERE (number IS NOT NULL);
CREATE UNIQUE INDEX invoices_period ON public.invoices USING btree (account_id, period_start) WHERE (kind = 'INVOICE'::text);
CREATE INDEX invoices_status ON public.invoices USING btree (status, id DESC);
CREATE INDEX invoices_unmailed ON public.invoices USING btree (id) WHERE ((mailed_at IS NULL) AND (issued_at IS NOT NULL));
CREATE TRIGGER invoices_immutable BEFORE DELETE OR UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION protect_issued_invoice();

create table leases (
  key text not null,
  holder text not null,
  epoch bigint not null,
  process text not null,
  acquired_at timestamp with time zone not null,
  renewed_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (key),
  constraint leases_key_epoch_key UNIQUE (key, epoch),
  constraint leases_holder_check CHECK ((char_length(holder) <= 200)),
  constraint leases_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 100))),
  constraint leases_process_check CHECK ((char_length(process) <= 200))
);

create table ledger_entries (
  id bigint not null generated always as identity,
  transaction_id bigint not null,
  account text not null,
  amount bigint not null,
  invoice_id integer,
  line smallint,
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transactions(id),
  constraint ledger_entries_account_check CHECK ((account = ANY (ARRAY['receivable'::text, 'revenue:routers'::text, 'revenue:addresses'::text, 'revenue:transit'::text, 'revenue:fees'::text, 'revenue:reductions'::text, 'tax'::text, 'cash'::text, 'refunds'::text, 'bad-debt'::text]))),
  constraint ledger_entries_amount_check CHECK ((amount <> 0)),
  constraint ledger_entries_check CHECK (((account <> 'receivable'::text) OR (invoice_id IS NOT NULL)))
);
CREATE INDEX ledger_entries_invoice ON public.ledger_entries USING btree (invoice_id) WHERE (account = 'receivable'::text);
CREATE INDEX ledger_entries_transaction ON public.ledger_entries USING btree (transaction_id);
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION require_balance();
CREATE TRIGGER ledger_entries_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table ledger_transactions (
  id bigint not null generated always as identity,
  source text not null,
  account_id integer not null,
  currency text not null,
  at timestamp with time zone not null,
  constraint ledger_transactions_pkey PRIMARY KEY (id),
  constraint ledger_transactions_source_key UNIQUE (source),
  constraint ledger_transactions_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES billing_customers(account_id, currency)
);
CREATE INDEX ledger_transactions_account ON public.ledger_transactions USING btree (account_id, id);
CREATE TRIGGER ledger_transactions_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table loas (
  id integer not null generated always as identity,
  account_id integer not null,
  prefix_id integer not null,
  prefix cidr not null,
  origin_asn bigint not null,
  customer_asn bigint not null,
  proof_method text,
  asn_verified_at timestamp with time zone not null,
  holder text,
  holder_registry text,
  operator_name text not null,
  operator_asn bigint not null,
  signatory_name text not null,
  signatory_title text not null,
  text_version smallint not null,
  paragraphs jsonb not null,
  evidence jsonb not null,
  signed_at timestamp with time zone not null,
  valid_until timestamp with time zone not null,
  code text not null,
  pdf bytea not null,
  pdf_sha256 text not null,
  revoked_at timestamp with time zone,
  constraint loas_pkey PRIMARY KEY (id),
  constraint loas_code_key UNIQUE (code),
  constraint loas_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint loas_prefix_id_fkey FOREIGN KEY (prefix_id) REFERENCES transit_prefixes(id)
);
CREATE INDEX loas_account ON public.loas USING btree (account_id);
CREATE INDEX loas_prefix ON public.loas USING btree (prefix_id, id DESC);
CREATE TRIGGER loas_immutable BEFORE DELETE OR UPDATE ON public.loas FOR EACH ROW EXECUTE FUNCTION protect_loa();
CREATE TRIGGER loas_kept BEFORE TRUNCATE ON public.loas FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table mail_tokens (
  digest bytea not null,
  purpose text not null,
  user_id integer not null,
  payload jsonb not null default '{}'::jsonb,
  expires_at timestamp with time zone not null,
  constraint mail_tokens_pkey PRIMARY KEY (digest),
  constraint mail_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint mail_tokens_digest_check CHECK ((octet_length(digest) = 32)),
  constraint mail_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['verify_email'::text, 'reset_password'::text, 'change_email_old'::text, 'change_email_new'::text, 'stop_second_factor_reset'::text])))
);
CREATE INDEX mail_tokens_expiry ON public.mail_tokens USING btree (expires_at);
CREATE INDEX mail_tokens_user ON public.mail_tokens USING btree (user_id, purpose);

create table maintenance_notices (
  window_id integer not null,
  account_id integer not null,
  revision integer not null,
  told_at timestamp with time zone not null,
  constraint maintenance_notices_pkey PRIMARY KEY (window_id, account_id),
  constraint maintenance_notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint maintenance_notices_window_id_fkey FOREIGN KEY (window_id) REFERENCES maintenance_windows(id) ON DELETE CASCADE
);
CREATE INDEX maintenance_notices_account ON public.maintenance_notices USING btree (account_id);

create table maintenance_targets (
  window_id integer not null,
  site_id integer,
  hypervisor_id integer,
  edge_id integer,
  constraint maintenance_targets_edge_id_fkey FOREIGN KEY (edge_id) REFERENCES transit_edges(id) ON DELETE CASCADE,
  constraint maintenance_targets_hypervisor_id_fkey FOREIGN KEY (hypervisor_id) REFERENCES hypervisors(id) ON DELETE CASCADE,
  constraint maintenance_targets_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
  constraint maintenance_targets_window_id_fkey FOREIGN KEY (window_id) REFERENCES maintenance_windows(id) ON DELETE CASCADE,
  constraint maintenance_targets_check CHECK ((num_nonnulls(site_id, hypervisor_id, edge_id) = 1))
);
CREATE INDEX maintenance_targets_edge ON public.maintenance_targets USING btree (edge_id);
CREATE INDEX maintenance_targets_hypervisor ON public.maintenance_targets USING btree (hypervisor_id);
CREATE INDEX maintenance_targets_site ON public.maintenance_targets USING btree (site_id);
CREATE INDEX maintenance_targets_window ON public.maintenance_targets USING btree (window_id);

create table maintenance_windows (
  id integer not null generated always as identity,
  title text not null,
  effect text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  everywhere boolean not null,
  revision integer not null default 1,
  created_by integer,
  created_at timestamp with time zone not null,
  cancelled_at timestamp with time zone,
  cancelled_reason text,
  announced_at timestamp with time zone,
  constraint maintenance_windows_pkey PRIMARY KEY (id),
  constraint maintenance_windows_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint maintenance_windows_check CHECK ((ends_at > starts_at)),
  constraint maintenance_windows_check1 CHECK (((cancelled_at IS NULL) = (cancelled_reason IS NULL))),
  constraint maintenance_windows_effect_check CHECK ((effect = ANY (ARRAY['AT_RISK'::text, 'SESSIONS_DOWN'::text, 'ROUTERS_DOWN'::text])))
);
CREATE INDEX maintenance_windows_created_by ON public.maintenance_windows USING btree (created_by);
CREATE INDEX maintenance_windows_open ON public.maintenance_windows USING btree (ends_at);

create table muted_mails (
  user_id integer not null,
  kind text not null,
  constraint muted_mails_pkey PRIMARY KEY (user_id, kind),
  constraint muted_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table outgoing_events (
  id bigint not null generated always as identity,
  message_id text not null default ('evt_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  account_id bigint not null,
  type text not null,
  subject_type text not null,
  subject_id bigint,
  data jsonb not null default '{}'::jsonb,
  occurred_at timestamp with time zone not null default clock_timestamp(),
  body text,
  dispatched_at timestamp with time zone,
  constraint outgoing_events_pkey PRIMARY KEY (id),
  constraint outgoing_events_message_id_key UNIQUE (message_id)
);
CREATE INDEX outgoing_events_account ON public.outgoing_events USING btree (account_id, id);
CREATE INDEX outgoing_events_age ON public.outgoing_events USING btree (occurred_at);
CREATE INDEX outgoing_events_new ON public.outgoing_events USING btree (id) WHERE (dispatched_at IS NULL);

create table outgoing_mail (
  id bigint not null generated always as identity,
  message_id text not null,
  user_id bigint,
  to_address text not null,
  subject text not null,
  text text,
  html text,
  created_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  last_error text,
  dismissed_at timestamp with time zone,
  encrypted_body bytea,
  constraint outgoing_mail_pkey PRIMARY KEY (id),
  constraint outgoing_mail_message_id_key UNIQUE (message_id),
  constraint outgoing_mail_one_body CHECK (((encrypted_body IS NULL) OR ((text IS NULL) AND (html IS NULL))))
);
CREATE INDEX outgoing_mail_due ON public.outgoing_mail USING btree (next_attempt_at) WHERE ((sent_at IS NULL) AND (failed_at IS NULL));
CREATE INDEX outgoing_mail_failed ON public.outgoing_mail USING btree (id DESC) WHERE ((failed_at IS NOT NULL) AND (dismissed_at IS NULL));

create table passkeys (
  id integer not null generated always as identity,
  user_id integer not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  synced boolean not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  user_handle text,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)))
);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id, id);

create table password_reset_requests (
  id integer not null generated always as identity,
  email text not null,
  ip inet not null,
  created_at timestamp with time zone not null default now(),
  constraint password_reset_requests_pkey PRIMARY KEY (id)
);

create table payment_customers (
  account_id integer not null,
  provider text not null,
  customer text not null,
  constraint payment_customers_pkey PRIMARY KEY (account_id, provider),
  constraint payment_customers_provider_customer_key UNIQUE (provider, customer),
  constraint payment_customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint payment_customers_provider_check CHECK ((provider = ANY (ARRAY['stripe'::text, 'test'::text])))
);

create table payment_methods (
  id integer not null generated always as identity,
  account_id integer not null,
  provider text not null,
  reference text not null,
  brand text not null,
  last4 text not null,
  exp_month smallint not null,
  exp_year smallint not null,
  is_default boolean not null,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  detaching_at timestamp with time zone,
  detached_at timestamp with time zone,
  constraint payment_methods_pkey PRIMARY KEY (id),
  constraint payment_methods_provider_reference_key UNIQUE (provider, reference),
  constraint payment_methods_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint payment_methods_check CHECK (((detached_at IS NULL) OR (detaching_at IS NOT NULL))),
  constraint payment_methods_exp_month_check CHECK (((exp_month >= 1) AND (exp_month <= 12))),
  constraint payment_methods_last4_check CHECK ((last4 ~ '^[0-9]{4}$'::text)),
  constraint payment_methods_provider_check CHECK ((provider = ANY (ARRAY['stripe'::text, 'test'::text])))
);
CREATE INDEX payment_methods_account ON public.payment_methods USING btree (account_id, id) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX payment_methods_default ON public.payment_methods USING btree (account_id) WHERE (is_default AND (removed_at IS NULL));
CREATE INDEX payment_methods_to_detach ON public.payment_methods USING btree (id) WHERE ((removed_at IS NOT NULL) AND (detached_at IS NULL));

create table payments (
  id integer not null generated always as identity,
  account_id integer not null,
  currency text not null,
  invoice_id integer not null,
  method_id integer not null,
  provider text not null,
  key uuid not null default gen_random_uuid(),
  amount bigint not null,
  status text not null,
  reference text,
  reason text,
  dispute text,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint payments_pkey PRIMARY KEY (id),
  constraint payments_key_key UNIQUE (key),
  constraint payments_provider_reference_key UNIQUE (provider, reference),
  constraint payments_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES billing_customers(account_id, currency),
  constraint payments_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id),
  constraint payments_method_id_fkey FOREIGN KEY (method_id) REFERENCES payment_methods(id),
  constraint payments_amount_check CHECK ((amount > 0)),
  constraint payments_dispute_check CHECK ((dispute = ANY (ARRAY['OPEN'::text, 'WON'::text, 'LOST'::text]))),
  constraint payments_provider_check CHECK ((provider = ANY (ARRAY['stripe'::text, 'test'::text]))),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTION_REQUIRED'::text, 'SUCCEEDED'::text, 'DECLINED'::text, 'FAILED'::text])))
);
CREATE INDEX payments_account ON public.payments USING btree (account_id, id DESC);
CREATE INDEX payments_disputed ON public.payments USING btree (id DESC) WHERE (dispute = 'OPEN'::text);
CREATE INDEX payments_invoice ON public.payments USING btree (invoice_id, id);
CREATE INDEX payments_open ON public.payments USING btree (created_at) WHERE (status = ANY (ARRAY['PENDING'::text, 'ACTION_REQUIRED'::text]));
CREATE UNIQUE INDEX payments_under_way ON public.payments USING btree (invoice_id) WHERE (status = ANY (ARRAY['PENDING'::text, 'ACTION_REQUIRED'::text]));

create table plans (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  cpus integer not null,
  memory integer not null,
  disk_size integer not null,
  hourly_price integer not null,
  monthly_price integer not null,
  currency text not null,
  "position" integer not null default 0,
  retired_at timestamp with time zone,
  setup_price integer not null default 0,
  constraint plans_pkey PRIMARY KEY (id),
  constraint plans_slug_key UNIQUE (slug),
  constraint plans_cpus_check CHECK (((cpus >= 1) AND (cpus <= 64))),
  constraint plans_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint plans_disk_size_check CHECK (((disk_size >= 1) AND (disk_size <= 65536))),
  constraint plans_hourly_price_check CHECK ((hourly_price >= 0)),
  constraint plans_memory_check CHECK (((memory >= 64) AND (memory <= 1048576))),
  constraint plans_monthly_price_check CHECK ((monthly_price >= 0)),
  constraint plans_setup_price_check CHECK ((setup_price >= 0)),
  constraint plans_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,60}$'::text))
);
CREATE UNIQUE INDEX plans_name ON public.plans USING btree (lower(btrim(name)));

create table prefix_approvals (
  prefix_id integer not null,
  staff_id integer not null,
  reason text not null,
  created_at timestamp with time zone not null,
  constraint prefix_approvals_pkey PRIMARY KEY (prefix_id, staff_id),
  constraint prefix_approvals_prefix_id_fkey FOREIGN KEY (prefix_id) REFERENCES transit_prefixes(id) ON DELETE CASCADE,
  constraint prefix_approvals_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX prefix_approvals_staff ON public.prefix_approvals USING btree (staff_id);

create table prefix_contact_links (
  id integer not null generated always as identity,
  prefix_id integer not null,
  purpose text not null,
  customer_asn bigint not null,
  origin_asn bigint,
  round integer not null,
  contact_email text not null,
  contact_roles jsonb not null default '[]'::jsonb,
  contact_source text not null,
  registry text not null,
  handle text not null,
  registrants jsonb not null default '[]'::jsonb,
  requested_by integer,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  valid_until timestamp with time zone,
  by_customer boolean not null default false,
  voided_at timestamp with time zone,
  constraint prefix_contact_links_pkey PRIMARY KEY (id),
  constraint prefix_contact_links_prefix_id_fkey FOREIGN KEY (prefix_id) REFERENCES transit_prefixes(id) ON DELETE CASCADE,
  constraint prefix_contact_links_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint prefix_contact_links_origin CHECK (((purpose = 'DOWNSTREAM'::text) = (origin_asn IS NOT NULL))),
  constraint prefix_contact_links_purpose_check CHECK ((purpose = ANY (ARRAY['SPACE'::text, 'DOWNSTREAM'::text])))
);
CREATE INDEX prefix_contact_links_prefix ON public.prefix_contact_links USING btree (prefix_id);
CREATE INDEX prefix_contact_links_staff ON public.prefix_contact_links USING btree (requested_by);

create table prefix_evidence (
  id integer not null generated always as identity,
  prefix_id integer not null,
  kind text not null,
  source text not null,
  strength text not null,
  seen text not null,
  observed_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  next_check_at timestamp with time zone,
  constraint prefix_evidence_pkey PRIMARY KEY (id),
  constraint prefix_evidence_once UNIQUE (prefix_id, kind, source),
  constraint prefix_evidence_prefix_id_fkey FOREIGN KEY (prefix_id) REFERENCES transit_prefixes(id) ON DELETE CASCADE,
  constraint prefix_evidence_kind_check CHECK ((kind = ANY (ARRAY['roa'::text, 'route_object'::text, 'rdap_holder'::text, 'rdap_contact'::text, 'reverse_dns'::text, 'inetnum_remark'::text, 'rsc'::text]))),
  constraint prefix_evidence_strength_check CHECK ((strength = ANY (ARRAY['strong'::text, 'medium'::text, 'weak'::text, 'contradicts'::text])))
);

create table prefix_held_decisions (
  prefix_id integer not null,
  action text not null,
  reason text,
  staff_id integer not null,
  decided_at timestamp with time zone not null,
  effective_at timestamp with time zone not null,
  failure text,
  constraint prefix_held_decisions_pkey PRIMARY KEY (prefix_id),
  constraint prefix_held_decisions_prefix_id_fkey FOREIGN KEY (prefix_id) REFERENCES transit_prefixes(id) ON DELETE CASCADE,
  constraint prefix_held_decisions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint prefix_held_decisions_action_check CHECK ((action = ANY (ARRAY['approve'::text, 'reject'::text, 'suspend'::text])))
);
CREATE INDEX prefix_held_decisions_due ON public.prefix_held_decisions USING btree (effective_at) WHERE (failure IS NULL);
CREATE INDEX prefix_held_decisions_staff ON public.prefix_held_decisions USING btree (staff_id);

create table prefix_imports (
  account_id integer not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  as_set text,
  as_set_problem text,
  asns jsonb,
  read integer not null default 0,
  prefixes jsonb not null default '[]'::jsonb,
  skipped integer not null default 0,
  truncated boolean not null default false,
  failure text,
  constraint prefix_imports_pkey PRIMARY KEY (account_id),
  constraint prefix_imports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint prefix_imports_as_set_problem_check CHECK ((as_set_problem = ANY (ARRAY['not_own'::text, 'not_found'::text]))),
  constraint prefix_imports_failure_check CHECK ((failure = ANY (ARRAY['unavailable'::text, 'not_verified'::text])))
);
CREATE INDEX prefix_imports_due ON public.prefix_imports USING btree (started_at) WHERE (finished_at IS NULL);

create table prefix_policy (
  only_row boolean not null default true,
  automatic boolean not null default false,
  two_person boolean not null default false,
  established_days integer not null default 7,
  check_age_minutes integer not null default 15,
  open_requests integer not null default 20,
  requests_per_hour integer not null default 60,
  shortest4 integer not null default 16,
  shortest6 integer not null default 29,
  version integer not null default 1,
  changed_by integer,
  changed_at timestamp with time zone,
  prefixes_per_account integer not null default 200,
  constraint prefix_policy_pkey PRIMARY KEY (only_row),
  constraint prefix_policy_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint prefix_policy_check_age_minutes_check CHECK (((check_age_minutes >= 1) AND (check_age_minutes <= 1440))),
  constraint prefix_policy_established_days_check CHECK (((established_days >= 0) AND (established_days <= 3650))),
  constraint prefix_policy_only_row_check CHECK (only_row),
  constraint prefix_policy_open_requests_check CHECK (((open_requests >= 1) AND (open_requests <= 500))),
  constraint prefix_policy_prefixes_per_account_check CHECK (((prefixes_per_account >= 1) AND (prefixes_per_account <= 100000))),
  constraint prefix_policy_requests_per_hour_check CHECK (((requests_per_hour >= 1) AND (requests_per_hour <= 10000))),
  constraint prefix_policy_shortest4_check CHECK (((shortest4 >= 8) AND (shortest4 <= 24))),
  constraint prefix_policy_shortest6_check CHECK (((shortest6 >= 16) AND (shortest6 <= 48)))
);

create table prefix_policy_rules (
  "position" integer not null,
  name text not null,
  family integer,
  shorter_than integer,
  evidence text not null,
  people integer not null,
  reason boolean not null,
  constraint prefix_policy_rules_pkey PRIMARY KEY ("position"),
  constraint prefix_policy_rules_evidence_check CHECK ((evidence = ANY (ARRAY['strong'::text, 'medium'::text, 'none'::text]))),
  constraint prefix_policy_rules_family_check CHECK ((family = ANY (ARRAY[4, 6]))),
  constraint prefix_policy_rules_people_check CHECK (((people >= 0) AND (people <= 2))),
  constraint prefix_policy_rules_shorter_than_check CHECK (((shorter_than >= 1) AND (shorter_than <= 128)))
);

create table prefix_quotas (
  account_id integer not null,
  prefixes integer,
  open_requests integer,
  reason text not null,
  changed_by integer,
  changed_at timestamp with time zone not null,
  constraint prefix_quotas_pkey PRIMARY KEY (account_id),
  constraint prefix_quotas_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint prefix_quotas_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint prefix_quotas_open_requests_check CHECK (((open_requests >= 0) AND (open_requests <= 100000))),
  constraint prefix_quotas_prefixes_check CHECK (((prefixes >= 0) AND (prefixes <= 100000)))
);
CREATE INDEX prefix_quotas_staff ON public.prefix_quotas USING btree (changed_by);

create table prefix_registrations (
  prefix_id integer not null,
  answered_at timestamp with time zone,
  registry text,
  handle text,
  name text,
  type text,
  holder text,
  registrants jsonb not null default '[]'::jsonb,
  contacts jsonb not null default '[]'::jsonb,
  placeholder boolean not null default false,
  registered_at timestamp with time zone,
  changed_at timestamp with time zone,
  round integer not null default 0,
  error text,
  checked_at timestamp with time zone not null,
  next_check_at timestamp with time zone not null,
  status jsonb not null default '[]'::jsonb,
  constraint prefix_registrations_pkey PRIMARY KEY (prefix_id),
  constraint prefix_registrations_prefix_id_fkey FOREIGN KEY (prefix_id) REFERENCES transit_prefixes(id) ON DELETE CASCADE
);
CREATE INDEX prefix_registrations_due ON public.prefix_registrations USING btree (next_check_at);

create table prefix_reverse_dns (
  prefix_id integer not null,
  records jsonb not null default '[]'::jsonb,
  complete_since timestamp with time zone,
  checked_at timestamp with time zone not null,
  next_check_at timestamp with time zone not null,
  constraint prefix_reverse_dns_pkey PRIMARY KEY (prefix_id),
  constraint prefix_reverse_dns_prefix_id_fkey FOREIGN KEY (prefix_id) REFERENCES transit_prefixes(id) ON DELETE CASCADE
);
CREATE INDEX prefix_reverse_dns_due ON public.prefix_reverse_dns USING btree (next_check_at);

create table price_notices (
  price_id integer not null,
  account_id integer not null,
  notified_at timestamp with time zone not null,
  constraint price_notices_pkey PRIMARY KEY (price_id, account_id),
  constraint price_notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint price_notices_price_id_fkey FOREIGN KEY (price_id) REFERENCES price_versions(id) ON DELETE CASCADE
);

create table price_versions (
  id integer not null generated always as identity,
  product text not null,
  currency text not null,
  effective_from timestamp with time zone not null,
  hourly_price integer not null,
  monthly_price integer not null,
  commit_bps bigint,
  overage_price integer,
  direction text,
  created_by integer,
  created_at timestamp with time zone not null default now(),
  raises boolean not null default false,
  one_off_price integer,
  name text,
  constraint price_versions_pkey PRIMARY KEY (id),
  constraint price_versions_product_currency_effective_from_key UNIQUE (product, currency, effective_from),
  constraint price_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint price_versions_check CHECK (((product = 'transit'::text) = ((commit_bps IS NOT NULL) AND (overage_price IS NOT NULL) AND (direction IS NOT NULL)))),
  constraint price_versions_check1 CHECK (((product ~ '^(setup|fee):'::text) = (one_off_price IS NOT NULL))),
  constraint price_versions_check2 CHECK (((product ~~ 'fee:%'::text) = (name IS NOT NULL))),
  constraint price_versions_check3 CHECK (((one_off_price IS NULL) OR ((hourly_price = 0) AND (monthly_price = 0)))),
  constraint price_versions_commit_bps_check CHECK ((commit_bps >= 0)),
  constraint price_versions_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint price_versions_direction_check CHECK ((direction = ANY (ARRAY['MAX'::text, 'SUM'::text, 'SEPARATE'::text]))),
  constraint price_versions_hourly_price_check CHECK ((hourly_price >= 0)),
  constraint price_versions_monthly_price_check CHECK ((monthly_price >= 0)),
  constraint price_versions_one_off_price_check CHECK ((one_off_price >= 0)),
  constraint price_versions_overage_price_check CHECK ((overage_price >= 0)),
  constraint price_versions_product_check CHECK ((product ~ '^(router:[a-z0-9-]{1,60}|address:ipv[46]|transit|setup:(router:[a-z0-9-]{1,60}|transit)|fee:[a-z0-9-]{1,40})$'::text))
);
CREATE TRIGGER price_versions_immutable BEFORE UPDATE OR TRUNCATE ON public.price_versions FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table provider_events (
  provider text not null,
  event text not null,
  received_at timestamp with time zone not null,
  constraint provider_events_pkey PRIMARY KEY (provider, event)
);

create table recovery_codes (
  user_id integer not null,
  digest bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, digest),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint recovery_codes_digest_check CHECK ((octet_length(digest) = 32))
);

create table refunds (
  id integer not null generated always as identity,
  payment_id integer not null,
  key uuid not null default gen_random_uuid(),
  amount bigint not null,
  reason text not null,
  status text not null,
  reference text,
  failure text,
  created_by integer,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_key_key UNIQUE (key),
  constraint refunds_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  constraint refunds_amount_check CHECK ((amount > 0)),
  constraint refunds_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCEEDED'::text, 'FAILED'::text])))
);
CREATE INDEX refunds_open ON public.refunds USING btree (id) WHERE (status = 'PENDING'::text);
CREATE INDEX refunds_payment ON public.refunds USING btree (payment_id);

create table router_counters (
  router_id integer not null,
  at timestamp with time zone not null,
  cpu_ns numeric(20,0) not null,
  rx_bytes numeric(20,0) not null,
  tx_bytes numeric(20,0) not null,
  constraint router_counters_pkey PRIMARY KEY (router_id),
  constraint router_counters_router_id_fkey FOREIGN KEY (router_id) REFERENCES routers(id) ON DELETE CASCADE
);

create table router_moves (
  router_id integer not null,
  hypervisor_id integer not null,
  at timestamp with time zone not null,
  constraint router_moves_pkey PRIMARY KEY (router_id, hypervisor_id),
  constraint router_moves_hypervisor_id_fkey FOREIGN KEY (hypervisor_id) REFERENCES hypervisors(id) ON DELETE CASCADE,
  constraint router_moves_router_id_fkey FOREIGN KEY (router_id) REFERENCES routers(id) ON DELETE CASCADE
);

create table router_samples (
  router_id integer not null,
  at timestamp with time zone not null,
  seconds real not null,
  cpu_seconds real,
  memory bigint,
  rx_bytes bigint not null,
  tx_bytes bigint not null,
  constraint router_samples_pkey PRIMARY KEY (router_id, at),
  constraint router_samples_seconds_check CHECK ((seconds > (0)::double precision))
);
CREATE INDEX router_samples_age ON public.router_samples USING brin (at);

create table router_slots (
  router_id integer not null,
  account_id integer not null,
  slot timestamp with time zone not null,
  seconds real not null,
  cpu_seconds real,
  memory bigint,
  rx_bytes bigint not null,
  tx_bytes bigint not null,
  constraint router_slots_pkey PRIMARY KEY (router_id, slot)
);
CREATE INDEX router_slots_account ON public.router_slots USING btree (account_id, slot);
CREATE INDEX router_slots_age ON public.router_slots USING brin (slot);

create table router_usage_periods (
  id bigint not null generated always as identity,
  router_id integer not null,
  account_id integer not null,
  router_name text not null,
  plan_slug text not null,
  plan_name text not null,
  hourly_price integer not null,
  monthly_price integer not null,
  currency text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint router_usage_periods_pkey PRIMARY KEY (id),
  constraint router_usage_periods_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint router_usage_periods_check CHECK ((ended_at >= started_at))
);
CREATE INDEX router_usage_periods_account ON public.router_usage_periods USING btree (account_id, started_at);
CREATE INDEX router_usage_periods_held ON public.router_usage_periods USING btree (plan_slug, account_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX router_usage_periods_open ON public.router_usage_periods USING btree (router_id) WHERE (ended_at IS NULL);

create table routers (
  id integer not null generated always as identity,
  uuid uuid not null default gen_random_uuid(),
  account_id integer not null,
  name text not null,
  site_id integer not null,
  hypervisor_id integer not null,
  plan_id integer not null,
  image_id integer not null,
  cpus integer not null,
  memory integer not null,
  disk_size integer not null,
  ssh_keys text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  desired_state text not null default 'running'::text,
  stop_mode text not null default 'graceful'::text,
  task text,
  task_phase text,
  suspended boolean not null default false,
  generation bigint not null default 1,
  desired_at timestamp with time zone not null default now(),
  observed text not null default 'absent'::text,
  observed_at timestamp with time zone,
  started_at timestamp with time zone,
  ready_at timestamp with time zone,
  machine_digest text,
  needs_restart boolean not null default false,
  config_digest text,
  config_at timestamp with time zone,
  config_error text,
  address_at timestamp with time zone,
  disk_at timestamp with time zone,
  boot_at timestamp with time zone,
  reachable_at timestamp with time zone,
  failure text,
  failure_detail text,
  failures integer not null default 0,
  retry_at timestamp with time zone,
  due_at timestamp with time zone default now(),
  checked_at timestamp with time zone,
  published_state text,
  state text not null generated always as (
CASE
    WHEN (desired_state = 'absent'::text) THEN 'DELETING'::text
    WHEN suspended THEN
    CASE
        WHEN (observed = ANY (ARRAY['off'::text, 'absent'::text, 'crashed'::text])) THEN 'SUSPENDED'::text
        ELSE 'STOPPING'::text
    END
    WHEN (failure IS NOT NULL) THEN 'FAILED'::text
    WHEN (task = 'reinstall'::text) THEN 'REINSTALLING'::text
    WHEN (task = 'resize'::text) THEN 'RESIZING'::text
    WHEN (task IS NOT NULL) THEN
    CASE
        WHEN (reachable_at IS NOT NULL) THEN 'REBOOTING'::text
        ELSE 'CREATING'::text
    END
    WHEN (desired_state = 'stopped'::text) THEN
    CASE
        WHEN (observed = ANY (ARRAY['off'::text, 'absent'::text, 'crashed'::text])) THEN 'STOPPED'::text
        ELSE 'STOPPING'::text
    END
    WHEN (reachable_at IS NULL) THEN 'CREATING'::text
    WHEN ((observed = 'running'::text) AND (ready_at IS NOT NULL)) THEN 'RUNNING'::text
    ELSE 'STARTING'::text
END) stored,
  setup_price integer not null default 0,
  purge_at timestamp with time zone,
  previous_desired_state text,
  stop_asked_at timestamp with time zone,
  booted boolean not null default false,
  own_files_error text,
  own_files_retry_at timestamp with time zone,
  delete_protected boolean not null default false,
  trouble_since timestamp with time zone,
  trouble_emailed_at timestamp with time zone,
  constraint routers_pkey PRIMARY KEY (id),
  constraint routers_uuid_key UNIQUE (uuid),
  constraint routers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint routers_hypervisor_id_fkey FOREIGN KEY (hypervisor_id) REFERENCES hypervisors(id),
  constraint routers_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint routers_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id),
  constraint routers_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id),
  constraint routers_check CHECK (((task IS NULL) = (task_phase IS NULL))),
  constraint routers_check1 CHECK (((purge_at IS NULL) OR (desired_state = 'absent'::text))),
  constraint routers_check2 CHECK (((purge_at IS NULL) = (previous_desired_state IS NULL))),
  constraint routers_desired_state_check CHECK ((desired_state = ANY (ARRAY['running'::text, 'stopped'::text, 'absent'::text]))),
  constraint routers_name_check CHECK ((name ~* '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  constraint routers_observed_check CHECK ((observed = ANY (ARRAY['absent'::text, 'off'::text, 'starting'::text, 'running'::text, 'paused'::text, 'stopping'::text, 'crashed'::text, 'unknown'::text]))),
  constraint routers_previous_desired_state_check CHECK ((previous_desired_state = ANY (ARRAY['running'::text, 'stopped'::text]))),
  constraint routers_setup_price_check CHECK ((setup_price >= 0)),
  constraint routers_stop_mode_check CHECK ((stop_mode = ANY (ARRAY['graceful'::text, 'force'::text]))),
  constraint routers_task_check CHECK ((task = ANY (ARRAY['reboot'::text, 'reset'::text, 'reinstall'::text, 'resize'::text]))),
  constraint routers_task_phase_check CHECK ((task_phase = ANY (ARRAY['down'::text, 'up'::text])))
);
CREATE INDEX routers_account ON public.routers USING btree (account_id, id DESC);
CREATE INDEX routers_by_name ON public.routers USING btree (name, id);
CREATE INDEX routers_checked ON public.routers USING btree (hypervisor_id, checked_at NULLS FIRST);
CREATE INDEX routers_due ON public.routers USING btree (hypervisor_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX routers_hypervisor ON public.routers USING btree (hypervisor_id, id DESC);
CREATE UNIQUE INDEX routers_name ON public.routers USING btree (account_id, lower(name)) WHERE (desired_state <> 'absent'::text);
CREATE INDEX routers_name_part ON public.routers USING gin (lower(name) gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX routers_purge ON public.routers USING btree (purge_at) WHERE (purge_at IS NOT NULL);
CREATE INDEX routers_site ON public.routers USING btree (site_id, id DESC);
CREATE INDEX routers_state ON public.routers USING btree (state, id DESC);
CREATE INDEX routers_trouble ON public.routers USING btree (id) WHERE (trouble_since IS NOT NULL);

create table row_counts (
  list text not null,
  day date not null,
  change bigint not null
);
CREATE INDEX row_counts_list ON public.row_counts USING btree (list, day);

create table second_factor_resets (
  id integer not null generated always as identity,
  user_id integer not null,
  reason text not null,
  identity_check text not null,
  of_staff boolean not null,
  requested_by integer not null,
  requested_at timestamp with time zone not null,
  approve_before timestamp with time zone not null,
  approved_by integer,
  approved_at timestamp with time zone,
  due_at timestamp with time zone,
  outcome text,
  ended_at timestamp with time zone,
  ended_by integer,
  end_reason text,
  constraint second_factor_resets_pkey PRIMARY KEY (id),
  constraint second_factor_resets_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  constraint second_factor_resets_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id),
  constraint second_factor_resets_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint second_factor_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint second_factor_resets_approved CHECK ((num_nulls(approved_by, approved_at, due_at) = ANY (ARRAY[0, 3]))),
  constraint second_factor_resets_completed CHECK (((outcome <> 'completed'::text) OR (approved_at IS NOT NULL))),
  constraint second_factor_resets_ended CHECK ((num_nulls(outcome, ended_at) = ANY (ARRAY[0, 2]))),
  constraint second_factor_resets_outcome CHECK ((outcome = ANY (ARRAY['completed'::text, 'expired'::text, 'stopped'::text, 'cancelled'::text, 'factor_used'::text, 'void'::text]))),
  constraint second_factor_resets_two_people CHECK (((requested_by <> user_id) AND (approved_by <> user_id) AND (approved_by <> requested_by)))
);
CREATE INDEX second_factor_resets_approved_by ON public.second_factor_resets USING btree (approved_by);
CREATE UNIQUE INDEX second_factor_resets_current ON public.second_factor_resets USING btree (user_id) WHERE (ended_at IS NULL);
CREATE INDEX second_factor_resets_ended_by ON public.second_factor_resets USING btree (ended_by);
CREATE INDEX second_factor_resets_requested_by ON public.second_factor_resets USING btree (requested_by);
CREATE INDEX second_factor_resets_user ON public.second_factor_resets USING btree (user_id, id DESC);
CREATE TRIGGER second_factor_resets_immutable BEFORE DELETE OR UPDATE ON public.second_factor_resets FOR EACH ROW EXECUTE FUNCTION protect_second_factor_reset();
CREATE TRIGGER second_factor_resets_kept BEFORE TRUNCATE ON public.second_factor_resets FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table sessions (
  id integer not null generated always as identity,
  digest bytea not null,
  user_id integer not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  ip inet not null,
  user_agent text not null,
  confirmed_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_digest_key UNIQUE (digest),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint sessions_digest_check CHECK ((octet_length(digest) = 32))
);
CREATE INDEX sessions_idle ON public.sessions USING btree (last_seen_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, last_seen_at DESC);

create table site_content (
  id integer not null default 1,
  support_email text,
  feature_url text,
  terms_url text,
  mail_footer text,
  invoice_footer text,
  notice text,
  notice_tone text not null default 'info'::text,
  notice_from timestamp with time zone,
  notice_until timestamp with time zone,
  constraint site_content_pkey PRIMARY KEY (id),
  constraint site_content_check CHECK ((notice_until > notice_from)),
  constraint site_content_feature_url_check CHECK ((char_length(feature_url) <= 500)),
  constraint site_content_id_check CHECK ((id = 1)),
  constraint site_content_invoice_footer_check CHECK ((char_length(invoice_footer) <= 300)),
  constraint site_content_mail_footer_check CHECK ((char_length(mail_footer) <= 500)),
  constraint site_content_notice_check CHECK ((char_length(notice) <= 500)),
  constraint site_content_notice_tone_check CHECK ((notice_tone = ANY (ARRAY['info'::text, 'warn'::text]))),
  constraint site_content_support_email_check CHECK ((char_length(support_email) <= 254)),
  constraint site_content_terms_url_check CHECK ((char_length(terms_url) <= 500))
);

create table sites (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  closed_at timestamp with time zone,
  constraint sites_pkey PRIMARY KEY (id),
  constraint sites_slug_key UNIQUE (slug),
  constraint sites_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text))
);
CREATE UNIQUE INDEX sites_name ON public.sites USING btree (lower(btrim(name)));

create table spent_challenges (
  digest bytea not null,
  expires_at timestamp with time zone not null,
  constraint spent_challenges_pkey PRIMARY KEY (digest),
  constraint spent_challenges_digest_check CHECK ((octet_length(digest) = 32))
);
CREATE INDEX spent_challenges_expiry ON public.spent_challenges USING btree (expires_at);

create table ssh_keys (
  id integer not null generated always as identity,
  account_id integer not null,
  name text not null,
  type text not null,
  public_key text not null,
  fingerprint text not null,
  created_at timestamp with time zone not null default now(),
  constraint ssh_keys_pkey PRIMARY KEY (id),
  constraint ssh_keys_account_id_fingerprint_key UNIQUE (account_id, fingerprint),
  constraint ssh_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table tax_rates (
  country text not null,
  effective_from date not null,
  rate integer not null,
  source text,
  confirmed_on date,
  confirmed_by integer,
  constraint tax_rates_pkey PRIMARY KEY (country, effective_from),
  constraint tax_rates_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES users(id),
  constraint tax_rates_check CHECK (((confirmed_on IS NULL) OR (source IS NOT NULL))),
  constraint tax_rates_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint tax_rates_rate_check CHECK (((rate >= 0) AND (rate <= 10000)))
);

create table throttles (
  key text not null,
  drained_at timestamp with time zone not null,
  constraint throttles_pkey PRIMARY KEY (key)
);
CREATE INDEX throttles_drained ON public.throttles USING btree (drained_at);

create table totp_factors (
  user_id integer not null,
  encrypted_secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint totp_factors_pkey PRIMARY KEY (user_id),
  constraint totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table transit_blackholes (
  id integer not null generated always as identity,
  account_id integer not null,
  address inet not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint transit_blackholes_pkey PRIMARY KEY (id),
  constraint transit_blackholes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX transit_blackholes_account ON public.transit_blackholes USING btree (account_id, id DESC);
CREATE UNIQUE INDEX transit_blackholes_address ON public.transit_blackholes USING btree (account_id, address) WHERE (ended_at IS NULL);
CREATE INDEX transit_blackholes_expiry ON public.transit_blackholes USING btree (expires_at) WHERE (ended_at IS NULL);

create table transit_connections (
  id integer not null generated always as identity,
  account_id integer not null,
  as_set text,
  as_set_status text,
  as_set_members integer,
  as_set_as_of timestamp with time zone,
  as_set_checked_at timestamp with time zone,
  router_id integer,
  enabled boolean not null default true,
  exports text not null default 'default'::text,
  password text,
  routes_seen_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  encrypted_password bytea,
  edge_id integer,
  as_set_found jsonb,
  shutdown_message text,
  drain_until timestamp with time zone,
  receive_limit4 integer,
  receive_limit6 integer,
  next_encrypted_password bytea,
  password_change_at timestamp with time zone,
  password_pending_until timestamp with time zone,
  password_change_result text,
  password_changed_at timestamp with time zone,
  bfd4 boolean not null default false,
  bfd6 boolean not null default false,
  constraint transit_connections_pkey PRIMARY KEY (id),
  constraint transit_connections_account_id_key UNIQUE (account_id),
  constraint transit_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint transit_connections_edge_id_fkey FOREIGN KEY (edge_id) REFERENCES transit_edges(id),
  constraint transit_connections_router_id_fkey FOREIGN KEY (router_id) REFERENCES routers(id) ON DELETE SET NULL,
  constraint transit_connections_as_set_status_check CHECK ((as_set_status = ANY (ARRAY['VALID'::text, 'NOT_FOUND'::text, 'UNKNOWN'::text]))),
  constraint transit_connections_check CHECK (((next_encrypted_password IS NOT NULL) OR ((password_change_at IS NULL) AND (password_pending_until IS NULL)))),
  constraint transit_connections_exports_check CHECK ((exports = ANY (ARRAY['default'::text, 'full'::text, 'default-and-full'::text]))),
  constraint transit_connections_id_check CHECK (((id >= 1) AND (id <= 999999))),
  constraint transit_connections_password_change_result_check CHECK ((password_change_result = ANY (ARRAY['KEPT'::text, 'RETURNED'::text]))),
  constraint transit_connections_password_check CHECK ((password ~ '^[!#-\[\]-~]{1,80}$'::text)),
  constraint transit_connections_receive_limit4_check CHECK ((receive_limit4 > 0)),
  constraint transit_connections_receive_limit6_check CHECK ((receive_limit6 > 0)),
  constraint transit_connections_shutdown_message_check CHECK (((octet_length(shutdown_message) >= 1) AND (octet_length(shutdown_message) <= 128))),
  constraint transit_connections_single_password CHECK (((password IS NULL) OR (encrypted_password IS NULL)))
);
CREATE INDEX transit_connections_as_set ON public.transit_connections USING btree (as_set_checked_at NULLS FIRST) WHERE (as_set IS NOT NULL);
CREATE INDEX transit_connections_edge ON public.transit_connections USING btree (edge_id, id) WHERE (edge_id IS NOT NULL);
CREATE INDEX transit_connections_password_change ON public.transit_connections USING btree (id) WHERE (next_encrypted_password IS NOT NULL);
CREATE INDEX transit_connections_plaintext_password ON public.transit_connections USING btree (id) WHERE (password IS NOT NULL);
CREATE INDEX transit_connections_router ON public.transit_connections USING btree (router_id) WHERE (router_id IS NOT NULL);

create table transit_contracts (
  id integer not null generated always as identity,
  account_id integer not null,
  currency text not null,
  effective_from timestamp with time zone not null,
  agreed boolean not null,
  commit_bps bigint not null,
  commit_price integer not null,
  overage_price integer not null,
  direction text not null,
  created_by integer,
  created_at timestamp with time zone not null default now(),
  constraint transit_contracts_pkey PRIMARY KEY (id),
  constraint transit_contracts_account_id_effective_from_key UNIQUE (account_id, effective_from),
  constraint transit_contracts_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES billing_customers(account_id, currency),
  constraint transit_contracts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint transit_contracts_commit_bps_check CHECK ((commit_bps >= 0)),
  constraint transit_contracts_commit_price_check CHECK ((commit_price >= 0)),
  constraint transit_contracts_direction_check CHECK ((direction = ANY (ARRAY['MAX'::text, 'SUM'::text, 'SEPARATE'::text]))),
  constraint transit_contracts_overage_price_check CHECK ((overage_price >= 0))
);

create table transit_edge_agents (
  slug text not null,
  waiting text,
  waiting_at timestamp with time zone,
  kind text,
  why text,
  router_id text,
  constraint transit_edge_agents_pkey PRIMARY KEY (slug),
  constraint transit_edge_agents_check CHECK ((num_nonnulls(kind, why, router_id) = ANY (ARRAY[0, 3]))),
  constraint transit_edge_agents_kind_check CHECK ((kind = ANY (ARRAY['bird'::text, 'openbgpd'::text, 'simulated'::text]))),
  constraint transit_edge_agents_router_id_check CHECK ((char_length(router_id) <= 15)),
  constraint transit_edge_agents_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text)),
  constraint transit_edge_agents_waiting_check CHECK ((char_length(waiting) <= 500)),
  constraint transit_edge_agents_why_check CHECK ((char_length(why) <= 500))
);

create table transit_edge_loads (
  id bigint not null generated always as identity,
  edge_id integer not null,
  at timestamp with time zone not null,
  state text not null,
  generation text not null,
  previous_generation text,
  changes jsonb not null,
  customers_added integer not null,
  customers_removed integer not null,
  prefixes_added integer not null,
  prefixes_removed integer not null,
  dropped text,
  detail text,
  causes jsonb not null,
  audit_id bigint not null,
  confirmed_by integer,
  confirmed_at timestamp with time zone,
  confirmed_reason text,
  constraint transit_edge_loads_pkey PRIMARY KEY (id),
  constraint transit_edge_loads_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint transit_edge_loads_edge_id_fkey FOREIGN KEY (edge_id) REFERENCES transit_edges(id) ON DELETE CASCADE,
  constraint transit_edge_loads_confirmed_reason_check CHECK ((char_length(confirmed_reason) <= 500)),
  constraint transit_edge_loads_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'CONFIRMED'::text, 'LOADING'::text, 'LOADED'::text, 'FAILED'::text, 'SUPERSEDED'::text])))
);
CREATE INDEX transit_edge_loads_edge ON public.transit_edge_loads USING btree (edge_id, id DESC);
CREATE UNIQUE INDEX transit_edge_loads_open ON public.transit_edge_loads USING btree (edge_id) WHERE (state = ANY (ARRAY['WAITING'::text, 'CONFIRMED'::text, 'LOADING'::text, 'FAILED'::text]));

create table transit_edge_sites (
  site_id integer not null,
  edge_id integer not null,
  constraint transit_edge_sites_pkey PRIMARY KEY (site_id),
  constraint transit_edge_sites_edge_id_fkey FOREIGN KEY (edge_id) REFERENCES transit_edges(id),
  constraint transit_edge_sites_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE
);
CREATE INDEX transit_edge_sites_edge ON public.transit_edge_sites USING btree (edge_id);

create table transit_edges (
  id integer not null generated by default as identity,
  wanted_generation text,
  running_generation text,
  applied_at timestamp with time zone,
  attempted_at timestamp with time zone,
  observed_at timestamp with time zone,
  error_kind text,
  error text,
  maintenance_since timestamp with time zone,
  maintenance_reason text,
  slug text not null,
  name text not null,
  added_at timestamp with time zone not null default now(),
  neighbors_error text,
  neighbors_at timestamp with time zone,
  rpki_vrps integer,
  rpki_caches jsonb,
  rpki_seen_at timestamp with time zone,
  rpki_error text,
  reverted_to bigint,
  reverted_at timestamp with time zone,
  reverted_by integer,
  reverted_reason text,
  reverted_prefixes jsonb,
  reverted_missing integer,
  lacks text[] not null default '{}'::text[],
  bgp_identifier text,
  upstreams_at timestamp with time zone,
  upstreams_error text,
  upstream_rejections jsonb,
  constraint transit_edges_pkey PRIMARY KEY (id),
  constraint transit_edges_bgp_identifier_key UNIQUE (bgp_identifier),
  constraint transit_edges_slug_key UNIQUE (slug),
  constraint transit_edges_reverted_by_fkey FOREIGN KEY (reverted_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint transit_edges_bgp_identifier_check CHECK ((char_length(bgp_identifier) <= 15)),
  constraint transit_edges_check CHECK (((maintenance_since IS NULL) = (maintenance_reason IS NULL))),
  constraint transit_edges_check1 CHECK (((reverted_to IS NULL) = (reverted_at IS NULL))),
  constraint transit_edges_check2 CHECK (((reverted_to IS NULL) = (reverted_prefixes IS NULL))),
  constraint transit_edges_maintenance_reason_check CHECK ((char_length(maintenance_reason) <= 500)),
  constraint transit_edges_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint transit_edges_reverted_reason_check CHECK ((char_length(reverted_reason) <= 500)),
  constraint transit_edges_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text))
);
CREATE UNIQUE INDEX transit_edges_name ON public.transit_edges USING btree (lower(btrim(name)));

create table transit_limit_requests (
  id integer not null generated always as identity,
  account_id integer not null,
  family integer not null,
  routes integer not null,
  reason text not null,
  status text not null default 'OPEN'::text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by integer,
  decision_reason text,
  granted integer,
  constraint transit_limit_requests_pkey PRIMARY KEY (id),
  constraint transit_limit_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint transit_limit_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint transit_limit_requests_family_check CHECK ((family = ANY (ARRAY[4, 6]))),
  constraint transit_limit_requests_routes_check CHECK ((routes > 0)),
  constraint transit_limit_requests_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'GRANTED'::text, 'DECLINED'::text])))
);
CREATE INDEX transit_limit_requests_account ON public.transit_limit_requests USING btree (account_id, id DESC);
CREATE UNIQUE INDEX transit_limit_requests_open ON public.transit_limit_requests USING btree (account_id, family) WHERE (status = 'OPEN'::text);
CREATE INDEX transit_limit_requests_staff ON public.transit_limit_requests USING btree (decided_by);
CREATE INDEX transit_limit_requests_waiting ON public.transit_limit_requests USING btree (id) WHERE (status = 'OPEN'::text);

create table transit_limit_trips (
  connection_id integer not null,
  family integer not null,
  tripped_at timestamp with time zone not null,
  receive_limit integer not null,
  emailed_at timestamp with time zone,
  constraint transit_limit_trips_pkey PRIMARY KEY (connection_id, family),
  constraint transit_limit_trips_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES transit_connections(id) ON DELETE CASCADE,
  constraint transit_limit_trips_family_check CHECK ((family = ANY (ARRAY[4, 6])))
);
CREATE INDEX transit_limit_trips_at ON public.transit_limit_trips USING btree (tripped_at);

create table transit_prefixes (
  id integer not null generated always as identity,
  account_id integer not null,
  value cidr not null,
  status text not null default 'PENDING'::text,
  status_reason text,
  asn_changed boolean not null default false,
  announcement_type text not null,
  requested_origin bigint,
  origin_asn bigint,
  membership text not null default 'UNKNOWN'::text,
  rpki_status text not null default 'UNKNOWN'::text,
  rpki_reason text,
  rpki_vrps jsonb not null default '[]'::jsonb,
  rpki_as_of timestamp with time zone,
  rpki_good_status text,
  rpki_good_as_of timestamp with time zone,
  irr_status text not null default 'UNKNOWN'::text,
  irr_objects jsonb not null default '[]'::jsonb,
  irr_as_of timestamp with time zone,
  irr_good_status text,
  irr_good_as_of timestamp with time zone,
  checked_at timestamp with time zone,
  check_after timestamp with time zone not null default now(),
  flagged_at timestamp with time zone,
  decided_by integer,
  decided_at timestamp with time zone,
  imported_at timestamp with time zone,
  imported_generation text,
  received_at timestamp with time zone,
  accepted_at timestamp with time zone,
  exported_at timestamp with time zone,
  rejection smallint,
  created_at timestamp with time zone not null default now(),
  withdrawn_at timestamp with time zone,
  imported_edge integer,
  downstream jsonb,
  accepted_issues text[] not null default '{}'::text[],
  suspend_at timestamp with time zone,
  proven boolean not null default false,
  approved_unknown boolean not null default false,
  approval_basis jsonb,
  lost_at timestamp with time zone,
  space_lost text,
  downstream_as_of timestamp with time zone,
  constraint transit_prefixes_pkey PRIMARY KEY (id),
  constraint transit_prefixes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint transit_prefixes_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint transit_prefixes_imported_edge_fkey FOREIGN KEY (imported_edge) REFERENCES transit_edges(id),
  constraint transit_prefixes_announcement_type_check CHECK ((announcement_type = ANY (ARRAY['ORIGIN'::text, 'DOWNSTREAM'::text, 'STATIC'::text]))),
  constraint transit_prefixes_check CHECK (((NOT asn_changed) OR (status = 'SUSPENDED'::text))),
  constraint transit_prefixes_check1 CHECK (((imported_edge IS NULL) = (imported_at IS NULL))),
  constraint transit_prefixes_irr_status_check CHECK ((irr_status = ANY (ARRAY['VALID'::text, 'INVALID'::text, 'NOT_FOUND'::text, 'UNKNOWN'::text]))),
  constraint transit_prefixes_membership_check CHECK ((membership = ANY (ARRAY['MEMBER'::text, 'NOT_MEMBER'::text, 'NO_SET'::text, 'UNKNOWN'::text, 'NOT_NEEDED'::text]))),
  constraint transit_prefixes_origin_asn_check CHECK (((origin_asn >= 1) AND (origin_asn <= '4294967295'::bigint))),
  constraint transit_prefixes_requested_origin_check CHECK (((requested_origin >= 1) AND (requested_origin <= '4294967295'::bigint))),
  constraint transit_prefixes_rpki_reason_check CHECK ((rpki_reason = ANY (ARRAY['AS'::text, 'LENGTH'::text]))),
  constraint transit_prefixes_rpki_status_check CHECK ((rpki_status = ANY (ARRAY['VALID'::text, 'INVALID'::text, 'NOT_FOUND'::text, 'UNKNOWN'::text]))),
  constraint transit_prefixes_space_lost_check CHECK ((space_lost = ANY (ARRAY['withdrawn'::text, 'moved'::text]))),
  constraint transit_prefixes_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'NEEDS_ACTION'::text, 'APPROVED'::text, 'REJECTED'::text, 'SUSPENDED'::text, 'WITHDRAWN'::text]))),
  constraint transit_prefixes_unspecific CHECK ((masklen((value)::inet) > 0)),
  constraint transit_prefixes_no_overlap EXCLUDE USING gist (value inet_ops WITH &&, account_id WITH <>) WHERE (((status = 'APPROVED'::text) OR (proven AND (status = ANY (ARRAY['PENDING'::text, 'NEEDS_ACTION'::text, 'SUSPENDED'::text])))))
);
CREATE INDEX transit_prefixes_account ON public.transit_prefixes USING btree (account_id, id DESC) INCLUDE (status);
CREATE INDEX transit_prefixes_by_value ON public.transit_prefixes USING btree (value, id);
CREATE INDEX transit_prefixes_check ON public.transit_prefixes USING btree (check_after) WHERE (status = ANY (ARRAY['PENDING'::text, 'NEEDS_ACTION'::text, 'APPROVED'::text, 'SUSPENDED'::text]));
CREATE INDEX transit_prefixes_ending ON public.transit_prefixes USING btree (id) WHERE ((status = 'APPROVED'::text) AND (suspend_at IS NOT NULL));
CREATE INDEX transit_prefixes_imported ON public.transit_prefixes USING btree (imported_edge, id) WHERE (imported_at IS NOT NULL);
CREATE INDEX transit_prefixes_status ON public.transit_prefixes USING btree (status, id DESC) INCLUDE (account_id);
CREATE INDEX transit_prefixes_text ON public.transit_prefixes USING btree (((value)::text) text_pattern_ops);
CREATE UNIQUE INDEX transit_prefixes_unique ON public.transit_prefixes USING btree (account_id, value) WHERE (status = ANY (ARRAY['PENDING'::text, 'NEEDS_ACTION'::text, 'APPROVED'::text, 'SUSPENDED'::text]));
CREATE INDEX transit_prefixes_value ON public.transit_prefixes USING gist (value inet_ops);
CREATE TRIGGER transit_prefixes_counted AFTER INSERT OR DELETE ON public.transit_prefixes FOR EACH ROW EXECUTE FUNCTION count_prefix();
CREATE TRIGGER transit_prefixes_recounted AFTER UPDATE OF status ON public.transit_prefixes FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION count_prefix();

create table transit_session_events (
  id bigint not null generated always as identity,
  connection_id integer not null,
  family smallint not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  error text,
  constraint transit_session_events_pkey PRIMARY KEY (id),
  constraint transit_session_events_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES transit_connections(id) ON DELETE CASCADE,
  constraint transit_session_events_family_check CHECK ((family = ANY (ARRAY[4, 6])))
);
CREATE INDEX transit_session_events_connection ON public.transit_session_events USING btree (connection_id, id DESC);

create table transit_sessions (
  connection_id integer not null,
  family smallint not null,
  state text not null,
  since timestamp with time zone,
  received integer not null,
  accepted integer not null,
  exported integer not null,
  last_error text,
  down_since timestamp with time zone,
  alerted_at timestamp with time zone,
  bfd text,
  flaps integer not null default 0,
  flaps_until timestamp with time zone,
  constraint transit_sessions_pkey PRIMARY KEY (connection_id, family),
  constraint transit_sessions_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES transit_connections(id) ON DELETE CASCADE,
  constraint transit_sessions_bfd_check CHECK ((bfd = ANY (ARRAY['UP'::text, 'DOWN'::text, 'NO_ANSWER'::text]))),
  constraint transit_sessions_family_check CHECK ((family = ANY (ARRAY[4, 6]))),
  constraint transit_sessions_state_check CHECK ((state = ANY (ARRAY['IDLE'::text, 'CONNECT'::text, 'ACTIVE'::text, 'OPENSENT'::text, 'OPENCONFIRM'::text, 'ESTABLISHED'::text, 'DISABLED'::text])))
);
CREATE INDEX transit_sessions_by_flaps ON public.transit_sessions USING btree (flaps, connection_id, family);
CREATE INDEX transit_sessions_by_since ON public.transit_sessions USING btree (COALESCE(since, '1970-01-01 00:00:00+00'::timestamp with time zone), connection_id, family);
CREATE INDEX transit_sessions_by_state ON public.transit_sessions USING btree ((
CASE state
    WHEN 'ESTABLISHED'::text THEN 2
    WHEN 'DISABLED'::text THEN 1
    ELSE 0
END), COALESCE(since, '1970-01-01 00:00:00+00'::timestamp with time zone), connection_id, family);
CREATE INDEX transit_sessions_flaps_until ON public.transit_sessions USING btree (flaps_until) WHERE (flaps_until IS NOT NULL);

create table transit_upstreams (
  edge_id integer not null,
  name text not null,
  asn bigint not null,
  address text not null,
  state text not null,
  since timestamp with time zone,
  received integer not null,
  exported integer not null,
  last_error text,
  down_since timestamp with time zone,
  alerted_at timestamp with time zone,
  constraint transit_upstreams_pkey PRIMARY KEY (edge_id, name),
  constraint transit_upstreams_edge_id_fkey FOREIGN KEY (edge_id) REFERENCES transit_edges(id) ON DELETE CASCADE
);

create table transit_usage (
  account_id integer not null,
  period_start timestamp with time zone not null,
  segments jsonb not null,
  measured_at timestamp with time zone not null,
  constraint transit_usage_pkey PRIMARY KEY (account_id, period_start),
  constraint transit_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table user_notes (
  id integer not null generated always as identity,
  user_id integer not null,
  author_id integer not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint user_notes_pkey PRIMARY KEY (id),
  constraint user_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint user_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint user_notes_length CHECK (((char_length(body) >= 1) AND (char_length(body) <= 4000)))
);
CREATE INDEX user_notes_author ON public.user_notes USING btree (author_id);
CREATE INDEX user_notes_user ON public.user_notes USING btree (user_id, id DESC);
CREATE TRIGGER user_notes_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.user_notes FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table users (
  id integer not null generated always as identity,
  email text not null,
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  email_verified_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  last_sign_in_at timestamp with time zone,
  last_sign_in_ip inet,
  closed_at timestamp with time zone,
  words text not null generated always as (lower((((((' '::text || first_name) || ' '::text) || last_name) || ' '::text) || email))) stored,
  is_customer boolean not null default false,
  staff_roles text[] not null default '{}'::text[],
  is_admin boolean not null generated always as ((cardinality(staff_roles) > 0)) stored,
  sign_ups_differ boolean not null default false,
  account_id integer not null default new_account(),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_account_id_key UNIQUE (account_id),
  constraint users_email_key UNIQUE (email),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint users_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint users_staff_roles_known CHECK ((staff_roles <@ ARRAY['owner'::text, 'support'::text, 'network'::text, 'billing'::text]))
);
CREATE INDEX users_customers ON public.users USING btree (created_at DESC, id DESC) WHERE ((closed_at IS NULL) AND is_customer);
CREATE INDEX users_open ON public.users USING btree (created_at DESC, id DESC) WHERE (closed_at IS NULL);
CREATE INDEX users_staff ON public.users USING btree (id) WHERE is_admin;
CREATE INDEX users_words ON public.users USING gin (words gin_trgm_ops) WITH (fastupdate=off);
CREATE TRIGGER users_counted AFTER INSERT OR DELETE OR UPDATE OF closed_at, is_customer, created_at ON public.users FOR EACH ROW EXECUTE FUNCTION count_user();

create table webhook_attempts (
  id bigint not null generated always as identity,
  delivery_id bigint not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  status smallint,
  error text,
  excerpt text,
  constraint webhook_attempts_pkey PRIMARY KEY (id),
  constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_delivery ON public.webhook_attempts USING btree (delivery_id, id DESC);

create table webhook_deliveries (
  id bigint not null generated always as identity,
  endpoint_id integer not null,
  event_id bigint not null,
  state text not null default 'PENDING'::text,
  attempts integer not null default 0,
  since timestamp with time zone not null,
  next_attempt_at timestamp with time zone not null,
  delivered_at timestamp with time zone,
  last_status smallint,
  last_error text,
  last_duration_ms integer,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_endpoint_id_event_id_key UNIQUE (endpoint_id, event_id),
  constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES outgoing_events(id) ON DELETE CASCADE,
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])))
);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (next_attempt_at) WHERE (state = 'PENDING'::text);
CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries USING btree (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (event_id);

create table webhook_endpoints (
  id integer not null generated always as identity,
  account_id integer not null,
  url text not null,
  description text not null,
  events text[] not null,
  enabled boolean not null default true,
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamp with time zone,
  created_at timestamp with time zone not null,
  last_success_at timestamp with time zone,
  disabled_reason text,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint webhook_endpoints_check CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
  constraint webhook_endpoints_check1 CHECK (((disabled_reason IS NULL) OR (NOT enabled))),
  constraint webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_endpoints_url_check CHECK ((length(url) <= 2000))
);
CREATE INDEX webhook_endpoints_account ON public.webhook_endpoints USING btree (account_id, id);

CREATE OR REPLACE FUNCTION public.audit_hash(place bigint, prev_hash bytea, event audit_events)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select sha256(convert_to(audit_field(place::text) || audit_field(encode(prev_hash, 'hex')) || audit_text(event), 'UTF8'))
$function$
;

CREATE OR REPLACE FUNCTION public.audit_text(event audit_events)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select audit_field(event.id::text)
    || audit_field(to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
    || audit_field(event.actor_id::text) || audit_field(event.actor_kind) || audit_field(event.action)
    || audit_field(event.subject_type) || audit_field(event.subject_id::text) || audit_field(event.account_id::text)
    || audit_field(event.ip::text) || audit_field(event.request_id) || audit_field(event.data::text)
$function$
;
