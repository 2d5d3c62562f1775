import type { Session } from "./bulk-session.ts"

/** Unmatched payments: one in a thousand. */
export async function seedUnmatched(session: Session, charges: number): Promise<void> {
  await session.query(`
    create temp table unknown as
    select n, 'E99999999' || lpad(n::text, 23, '0') as end_to_end_id, now() - n * interval '365 days' / ${charges / 1000} as at
    from generate_series(1::bigint, ${Math.ceil(charges / 1000)}) n;
    insert into payments (end_to_end_id, provider, amount_cents, paid_at, received_at, xid, disposition, reason)
    select end_to_end_id, 'simulator', 1000, at, at, pg_temp.xid_at(at), 'suspense', 'unknown_txid' from unknown;
    insert into unmatched_payments (id, end_to_end_id, reason, received_at)
    select pg_temp.id_at(at, 'unmatched', n), end_to_end_id, 'unknown_txid', at from unknown`)
}

/**
 * One withdrawal per 35 paid charges, of that charge's net amount, so no balance falls short. None is left for the
 * payout job.
 */
export async function seedWithdrawals(session: Session): Promise<void> {
  await session.query(`
    create temp table asked as
    select row_number() over (order by paid_at) as n, seller_id, net_cents as amount, paid_at + interval '1 hour' as at,
      (array['completed','completed','completed','completed','completed','pending','rejected','cancelled'])[
        1 + floor(pg_temp.part(row_number() over (order by paid_at), 5) * 8)::int] as status
    from charges where status = 'paid' and pg_temp.part(amount_cents + extract(epoch from paid_at)::bigint, 6) < 1 / 35.0;
    insert into withdrawals (
      id, seller_id, amount_cents, method, pix_key, pix_key_kind, payout_id, status, provider, attempts,
      created_at, approved_at, sent_at, processed_at, xid
    )
    select pg_temp.id_at(at, 'withdrawal', n), seller_id, amount, 'pix', 'vendedor' || n % 1000 || '@loja.example', 'email',
      replace(pg_temp.id_at(at, 'withdrawal', n)::text, '-', ''), status,
      case when status = 'completed' then 'simulator' end, case when status = 'completed' then 1 else 0 end, at,
      case when status = 'completed' then at end, case when status = 'completed' then at end,
      case when status <> 'pending' then at + interval '1 hour' end, pg_temp.xid_at(at)
    from asked order by n`)
  const movements = [
    ["withdrawal", "true", "'seller-available:' || seller_id", "'seller-held:' || seller_id"],
    [
      "withdrawal-returned",
      "status in ('rejected', 'cancelled')",
      "'seller-held:' || seller_id",
      "'seller-available:' || seller_id",
    ],
    ["payout", "status = 'completed'", "'seller-held:' || seller_id", "'payouts-under-way:simulator'"],
    ["payout-completed", "status = 'completed'", "'payouts-under-way:simulator'", "'psp-clearing:simulator'"],
  ] as const
  for (const [kind, condition, debit, credit] of movements) {
    await session.query(`
      insert into journal (
        kind, reference, line, seller_id, debit_account, credit_account, amount_cents, occurred_at, booked_at, xid
      )
      select '${kind}', pg_temp.id_at(at, 'withdrawal', n)::text, 1, seller_id, ${debit}, ${credit}, amount, at, at,
        pg_temp.xid_at(at)
      from asked where ${condition} order by n`)
  }
}

/** Enters all movements in the statements, and leaves to the jobs no total to fold and no event to number. */
export async function seedMarks(session: Session, lastXid: number): Promise<void> {
  await session.query(`
    truncate statement_lines, account_days;
    update entered_statements set below = '0';
    select enter_statements_below('${lastXid + 1}');
    update numbered_events set until = '${lastXid}';
    update folded_payments set below = '${lastXid + 1}';
    select fold_platform_changes(2147483647)`)
}
