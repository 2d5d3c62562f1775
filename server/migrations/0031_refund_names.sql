-- A refund that the provider began carries the provider's own name, and not every provider keeps to API Pix's.
alter table refunds
  drop constraint refunds_psp_refund_id_check,
  add constraint refunds_psp_refund_id_check check (psp_refund_id ~ '^[!-~]{1,64}$');
