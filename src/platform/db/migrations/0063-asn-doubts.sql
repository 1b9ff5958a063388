-- Proofs of an ASN that lapse: what the registry is asked again, and until when a doubt is given time.

alter table asn_verifications
  -- Whom the registry named when it was first asked after the proof; null before that.
  add column holder_handles text[],
  add column holder_name text,
  -- The registry has named somebody else since then.
  add column contradicted_at timestamptz,
  -- A remark that a former holder may have left behind counts no more: the next one differs.
  add column round integer not null default 0 check (round >= 0);
-- From now on what is proved is looked at by its holding, and only what is not proved by itself.
update asn_verifications set next_check_at = null where verified_at is not null;

alter table asn_holdings
  add column checked_at timestamptz,
  -- When the registry is asked again; null while nothing is proved.
  add column next_check_at timestamptz,
  -- Why nothing that was proved holds any more; after the lapse, why it lapsed.
  add column doubt text check (doubt in ('expired', 'holder_changed', 'unallocated')),
  add column doubted_at timestamptz,
  -- The day that its owner was told.
  add column lapses_at timestamptz,
  add column reminded_at timestamptz,
  add column lapsed_at timestamptz,
  -- Since when the registry does not answer.
  add column silent_since timestamptz,
  add constraint asn_holdings_doubt check ((doubt is null) = (doubted_at is null) and (doubt is null) = (lapses_at is null)),
  add constraint asn_holdings_lapsed check (lapsed_at is null or verified_at is null);
update asn_holdings set next_check_at = now() where verified_at is not null;
create index asn_holdings_due on asn_holdings (next_check_at) where next_check_at is not null;
