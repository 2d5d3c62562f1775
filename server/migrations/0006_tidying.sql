create index psp_inbox_processed on psp_inbox (processed_at) where processed_at is not null;
create index failed_logins_by_time on failed_logins (failed_at);
