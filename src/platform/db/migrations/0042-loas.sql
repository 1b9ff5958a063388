-- Expand: the release before can still run.

-- Letters of authorization (LOA) that customers signed, each with all that it said at that time. Only `revoked_at` is
-- set later (decision 44).
create table loas (
  id integer generated always as identity primary key,
  user_id integer not null references users (id),
  prefix_id integer not null references transit_prefixes (id),
  prefix cidr not null,
  origin_asn bigint not null,
  -- The ASN that the account had proved, how and since when.
  customer_asn bigint not null,
  proof_method text,
  asn_verified_at timestamp with time zone not null,
  -- The holder of the block, as the registry of the addresses named it; null where it was not known.
  holder text,
  holder_registry text,
  operator_name text not null,
  operator_asn bigint not null,
  signatory_name text not null,
  signatory_title text not null,
  text_version smallint not null,
  paragraphs jsonb not null,
  -- What the portal had seen of the prefix.
  evidence jsonb not null,
  signed_at timestamp with time zone not null,
  valid_until timestamp with time zone not null,
  -- In the address at which anybody can verify it. It opens what stands in this row and nothing else.
  code text not null unique,
  pdf bytea not null,
  pdf_sha256 text not null,
  revoked_at timestamp with time zone
);
create index loas_prefix on loas (prefix_id, id desc);
create index loas_user on loas (user_id);

create function protect_loa() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.revoked_at is null and to_jsonb(new) - 'revoked_at' = to_jsonb(old) - 'revoked_at' then
      return new;
    end if;
  end if;
  raise exception 'a letter of authorization is never changed or removed: it is revoked'
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger loas_immutable before update or delete on loas for each row execute function protect_loa();
create trigger loas_kept before truncate on loas for each statement execute function reject_change();
