-- The list of who did what: newest first within each of its filters, page by page by key.
drop index audit_records_by_entity;
create index audit_records_by_entity on audit_records (entity, entity_id, happened_at desc, id desc);
create index audit_records_by_action on audit_records (action, happened_at desc, id desc);
create index audit_records_by_actor on audit_records (actor_id, happened_at desc, id desc);

-- A transaction's own: its refunds, and the payment that was accepted as it.
create index audit_records_by_charge
on audit_records ((coalesce(after ->> 'chargeId', after ->> 'acceptedChargeId')), happened_at desc, id desc)
where coalesce(after ->> 'chargeId', after ->> 'acceptedChargeId') is not null;
