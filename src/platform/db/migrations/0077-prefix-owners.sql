-- With the status in the index, a search for one owner within a status stays in it. Without, the planner takes the
-- exclusion constraint's index, which leads by space and reads thousands of pages for one owner.
drop index transit_prefixes_user;
create index transit_prefixes_user on transit_prefixes (user_id, id desc) include (status);
