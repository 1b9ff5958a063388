-- Expand: the release before can still run.

-- The roles of web and worker write no link of the audit log's chain: the function does, as the owner (decision 37).
-- Temporary tables come last, or a role could put one of its own in the place of the head.
do $$ begin
  execute format('alter function link_audit_event() security definer set search_path = %I, pg_temp', current_schema());
end $$;
