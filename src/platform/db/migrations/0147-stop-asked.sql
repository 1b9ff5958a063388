-- Since when the boot that runs has been asked to end. Null again once the machine was seen off. Without it a shutdown that was
-- asked for and then taken back (a suspension that ended meanwhile, a restored router) reads as one by the guest's owner.
alter table routers add stop_asked_at timestamptz;
