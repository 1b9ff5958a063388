-- What the operator words itself. One row; null is what the settings of the installation, or the product, say.

create table operator_texts (
  id integer primary key default 1 check (id = 1),
  support_email text check (char_length(support_email) <= 254),
  feature_url text check (char_length(feature_url) <= 500),
  terms_url text check (char_length(terms_url) <= 500),
  mail_footer text check (char_length(mail_footer) <= 500),
  invoice_footer text check (char_length(invoice_footer) <= 300),
  -- Stands above every screen of every customer, from then until then.
  notice text check (char_length(notice) <= 500),
  notice_tone text not null default 'info' check (notice_tone in ('info', 'warn')),
  notice_from timestamptz,
  notice_until timestamptz,
  check (notice_until > notice_from)
);
insert into operator_texts default values;
