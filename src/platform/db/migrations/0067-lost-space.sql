-- Expand: the release before can still run.

-- What took away the proof of space that an approval rested on, while nothing else has proved it since.
alter table transit_prefixes add column space_lost text check (space_lost in ('withdrawn', 'moved'));

-- For the queue of approved prefixes that are about to be suspended.
create index transit_prefixes_ending on transit_prefixes (id) where status = 'APPROVED' and suspend_at is not null;
