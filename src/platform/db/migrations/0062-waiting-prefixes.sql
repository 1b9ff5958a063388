-- With the owner in the index, a search within a status reads owners and not one page for each prefix.
drop index transit_prefixes_status;
create index transit_prefixes_status on transit_prefixes (status, id desc) include (user_id);
