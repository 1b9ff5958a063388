-- The schema after all migrations. Generated: npm run codegen.

create table account_standing (
  user_id integer not null,
  may_be_billed boolean not null default false,
  suspended boolean not null default false,
  reason text,
  updated_at timestamp with time zone not null default now(),
  constraint account_standing_pkey PRIMARY KEY (user_id),
  constraint account_standing_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table asn_holdings (
  user_id integer not null,
  asn bigint not null,
  claimed_at timestamp with time zone not null default now(),
  verified_at timestamp with time zone,
  constraint asn_holdings_pkey PRIMARY KEY (user_id),
  constraint asn_holdings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint asn_holdings_asn_check CHECK (((asn >= 1) AND (asn <= '4294967294'::bigint)))
);
CREATE INDEX asn_holdings_asn ON public.asn_holdings USING btree (asn);
CREATE UNIQUE INDEX asn_holdings_verified ON public.asn_holdings USING btree (asn) WHERE (verified_at IS NOT NULL);

create table asn_verifications (
  id integer not null generated always as identity,
  user_id integer not null,
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
  constraint asn_verifications_pkey PRIMARY KEY (id),
  constraint asn_verifications_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint asn_verifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint asn_verifications_method_check CHECK ((method = ANY (ARRAY['registry_contact'::text, 'staff'::text]))),
  constraint asn_verifications_strength_check CHECK ((strength = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text])))
);
CREATE INDEX asn_verifications_user ON public.asn_verifications USING btree (user_id, id DESC);

create table audit_events (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor_id bigint,
  actor_kind text not null,
  action text not null,
  subject_type text not null,
  subject_id bigint,
  user_id bigint,
  ip inet,
  request_id text,
  data jsonb not null default '{}'::jsonb,
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint audit_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'staff'::text, 'system'::text])))
);
CREATE INDEX audit_events_subject ON public.audit_events USING btree (subject_type, subject_id, id DESC);
CREATE INDEX audit_events_user ON public.audit_events USING btree (user_id, id DESC) WHERE (user_id IS NOT NULL);

create table idempotency_keys (
  caller text not null,
  key text not null,
  endpoint text not null,
  body_digest bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

create table mail_tokens (
  digest bytea not null,
  purpose text not null,
  user_id integer not null,
  payload jsonb not null default '{}'::jsonb,
  expires_at timestamp with time zone not null,
  constraint mail_tokens_pkey PRIMARY KEY (digest),
  constraint mail_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint mail_tokens_digest_check CHECK ((octet_length(digest) = 32)),
  constraint mail_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['verify_email'::text, 'reset_password'::text])))
);
CREATE INDEX mail_tokens_expiry ON public.mail_tokens USING btree (expires_at);
CREATE INDEX mail_tokens_user ON public.mail_tokens USING btree (user_id, purpose);

create table outgoing_mail (
  id bigint not null generated always as identity,
  message_id text not null,
  user_id bigint,
  to_address text not null,
  subject text not null,
  text text not null,
  html text not null,
  created_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  last_error text,
  constraint outgoing_mail_pkey PRIMARY KEY (id),
  constraint outgoing_mail_message_id_key UNIQUE (message_id)
);
CREATE INDEX outgoing_mail_due ON public.outgoing_mail USING btree (next_attempt_at) WHERE ((sent_at IS NULL) AND (failed_at IS NULL));

create table password_reset_requests (
  id integer not null generated always as identity,
  email text not null,
  ip inet not null,
  created_at timestamp with time zone not null default now(),
  constraint password_reset_requests_pkey PRIMARY KEY (id)
);

create table recovery_codes (
  user_id integer not null,
  digest bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, digest),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint recovery_codes_digest_check CHECK ((octet_length(digest) = 32))
);

create table sessions (
  id integer not null generated always as identity,
  digest bytea not null,
  user_id integer not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  ip inet not null,
  user_agent text not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_digest_key UNIQUE (digest),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint sessions_digest_check CHECK ((octet_length(digest) = 32))
);
CREATE INDEX sessions_idle ON public.sessions USING btree (last_seen_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, last_seen_at DESC);

create table ssh_keys (
  id integer not null generated always as identity,
  user_id integer not null,
  name text not null,
  type text not null,
  public_key text not null,
  fingerprint text not null,
  created_at timestamp with time zone not null default now(),
  constraint ssh_keys_pkey PRIMARY KEY (id),
  constraint ssh_keys_user_id_fingerprint_key UNIQUE (user_id, fingerprint),
  constraint ssh_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table throttles (
  key text not null,
  drained_at timestamp with time zone not null,
  constraint throttles_pkey PRIMARY KEY (key)
);
CREATE INDEX throttles_drained ON public.throttles USING btree (drained_at);

create table totp_factors (
  user_id integer not null,
  sealed_secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint totp_factors_pkey PRIMARY KEY (user_id),
  constraint totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table users (
  id integer not null generated always as identity,
  email text not null,
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  is_admin boolean not null default false,
  email_verified_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  last_sign_in_at timestamp with time zone,
  last_sign_in_ip inet,
  closed_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_email_check CHECK (((email = lower(email)) AND (length(email) <= 254)))
);
CREATE INDEX users_created ON public.users USING btree (created_at DESC, id DESC);
