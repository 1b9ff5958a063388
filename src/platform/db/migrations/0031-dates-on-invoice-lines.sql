-- Expand: the release before can still run.

-- The time that a line is for, the end excluded; both alike for what has a moment only. Null on lines written before.
alter table invoice_lines add column starts_at timestamptz, add column ends_at timestamptz,
  add constraint invoice_lines_time_check check ((starts_at is null) = (ends_at is null) and starts_at <= ends_at);
