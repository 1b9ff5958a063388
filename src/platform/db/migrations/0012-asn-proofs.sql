-- Proofs of an ASN that customers begin themselves, and when each is looked at again.

alter table asn_verifications drop constraint asn_verifications_method_check;
alter table asn_verifications
  add constraint asn_verifications_method_check
    check (method in ('autnum_token', 'registry_contact', 'peeringdb', 'staff')),
  add column checked_at timestamptz,
  -- When the worker looks again; null when there is nothing to look at.
  add column next_check_at timestamptz,
  -- What the last look found, in words for its owner.
  add column finding text;
create index asn_verifications_due on asn_verifications (next_check_at) where next_check_at is not null;
-- One attempt by a token at a time: two would ask for two different remarks.
create unique index asn_verifications_token on asn_verifications (user_id, asn)
  where method = 'autnum_token' and voided_at is null;
