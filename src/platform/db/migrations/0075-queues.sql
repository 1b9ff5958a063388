-- What waits for a person, each counted and listed from an index of nothing else.

create index asn_holdings_unverified on asn_holdings (user_id desc) where verified_at is null;
create index payments_disputed on payments (id desc) where dispute = 'OPEN';

-- A letter that could not be delivered waits until somebody has it sent again, or has read that it was not.
alter table outgoing_mail add dismissed_at timestamptz;
create index outgoing_mail_failed on outgoing_mail (id desc) where failed_at is not null and dismissed_at is null;
