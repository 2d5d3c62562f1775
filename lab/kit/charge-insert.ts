/** The row of a charge whose code the payer already sees. */
export const chargeInsert = `\\set page random(0, :sellers - 1)
\\set amount random(1000, 50000)
insert into charges (
  id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents, net_cents, page_title,
  description, pix_code, opened_at, expires_at, idempotency_key, request_hash, created_at, updated_at
) values (
  uuidv7(), ('01900000-0000-7000-8000-' || lpad(to_hex(:page::bigint), 12, '0'))::uuid,
  ('01900000-0000-7000-9000-' || lpad(to_hex(:page::bigint), 12, '0'))::uuid, left(replace(uuidv7()::text, '-', ''), 32),
  'simulator', 'pending', :amount::bigint, 1500, :amount::bigint * 1500 / 10000, :amount::bigint - :amount::bigint * 1500 / 10000,
  'Mentoria ' || :page::bigint, 'Um encontro por semana', repeat('0123456789abcdef', 10), now(), now() + interval '1 hour',
  uuidv7()::text, sha256('x'), now(), now()
);
`
