-- Why BIRD in the guest runs without the files of the router's owner, and when they are tried again. Null when it loaded them.
alter table routers
  add own_files_error text,
  add own_files_retry_at timestamptz;
