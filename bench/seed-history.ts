import { createPool } from "../server/src/db/pool.ts"

const connect = (pool: ReturnType<typeof createPool>) => pool.connect()
type Session = Awaited<ReturnType<typeof connect>>

/** Owns a tenth of everything. */
export const bigSellerEmail = "vendedor1@loja.example"
export const adminEmail = "chefe@bench.example"

const batchSize = 100_000

/**
 * Fills a fresh, migrated database with a year of trade: by triggers and constraints like any other writer,
 * so that balances and totals are what the product makes of them, but by the hundred thousand rows.
 */
export async function seedHistory(url: string, charges: number): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: "bench", statementMs: 20 * 60_000, silenceMs: 20 * 60_000 })
  const session = await connect(pool)
  try {
    await session.query(
      "set role none; set synchronous_commit = off; set maintenance_work_mem = '512MB'; set jit = off",
    )
    await createSeedFunctions(session)
    const indexes = await dropIndexes(session)
    await seedPeople(session, charges)
    for (let first = 1; first <= charges; first += batchSize) {
      await seedCharges(session, { first, last: Math.min(first + batchSize - 1, charges), charges })
    }
    await seedUnmatched(session, charges)
    await seedWithdrawals(session)
    for (const index of indexes) await session.query(index)
    await session.query("vacuum (analyze)")
  } finally {
    session.release(true)
    await pool.end()
  }
}

/** Random, but the same in every run; ids are UUIDv7 of their moment, as the product's own. */
async function createSeedFunctions(session: Session): Promise<void> {
  await session.query(`
    create function pg_temp.part(n bigint, salt bigint) returns float8 language sql immutable parallel safe
    return (hashint8extended(n, salt) & 9007199254740991) / 9007199254740992.0;

    create function pg_temp.id_at(at timestamptz, kind text, n bigint) returns uuid language sql immutable parallel safe
    return (
      lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(kind || n), 1, 3) || '8'
      || substr(md5(kind || n), 4, 15)
    )::uuid`)
}

/** Sorted once at the end instead of kept in order row by row. */
async function dropIndexes(session: Session): Promise<string[]> {
  const { rows } = await session.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class owner on owner.oid = indrelid
    where owner.relnamespace = 'public'::regnamespace and not indisunique`)
  for (const { name } of rows) await session.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** One seller for ten charges, a page for each, and many pages for the first one. */
async function seedPeople(session: Session, charges: number): Promise<void> {
  const sellers = Math.max(20, charges / 10)
  await session.query(`
    create temp table sellers as
    select n, pg_temp.id_at(joined_at, 'seller', n) as id, joined_at
    from (select n, now() - interval '400 days' + n * interval '30 days' / ${sellers} as joined_at
      from generate_series(1, ${sellers}) n) person;
    create unique index on sellers (n);
    insert into users (id, name, email, email_key, password_hash, cpf, phone, role, active, created_at, updated_at)
    select id, (array['Ana','Bruno','Caio','Dalva','Érica','Fábio','Gilda','Hugo'])[1 + n % 8] || ' '
        || (array['Souza','Lima','Araújo','Conceição','Pereira','Nunes','Teles'])[1 + n % 7] || ' ' || n,
      'vendedor' || n || '@loja.example', 'vendedor' || n || '@loja.example', 'none', lpad(n::text, 11, '0'),
      '11987654321', 'user', n % 50 <> 7, joined_at, joined_at
    from sellers;
    insert into users (id, name, email, email_key, password_hash, role)
    values (pg_temp.id_at(now() - interval '401 days', 'admin', 1), 'Chefe', '${adminEmail}', '${adminEmail}', 'none', 'admin')`)
  await session.query(`
    create temp table pages as
    select page.n, pg_temp.id_at(at, 'page', page.n) as id, seller.id as seller_id, at
    from (
      select n, case when n > ${sellers} then 1 else n end as owner,
        now() - interval '368 days' + n * interval '2 days' / ${sellers} as at
      from generate_series(1, ${Math.round(sellers * 1.1)}) n
    ) page join sellers seller on seller.n = page.owner;
    create unique index on pages (n);
    insert into charge_pages (
      id, seller_id, title, description, amount_cents, unique_link, slug, status, allow_anonymous, require_name,
      require_email, require_phone, require_cpf, expires_in_hours, max_payments, created_at, updated_at
    )
    select id, seller_id, (array['Mentoria','Curso','Consulta','Plano'])[1 + n % 4] || ' ' || n, 'Um encontro por semana',
      1000 + n % 50000, 'L' || md5('link' || n), 'pagina-' || n,
      case when n % 10 < 7 then 'active' when n % 10 = 7 then 'completed' when n % 10 = 8 then 'expired' else 'cancelled' end,
      true, false, false, false, false, 0, null, at, at
    from pages;
    insert into charge_page_slugs (slug, page_id) select 'pagina-' || n, id from pages;
    analyze sellers; analyze pages`)
}

/** A year, evenly; a tenth of it is the first seller's. */
async function seedCharges(session: Session, range: { first: number; last: number; charges: number }): Promise<void> {
  const { first, last, charges } = range
  await session.query(`
    drop table if exists batch;
    create temp table batch as
    select charge.n, pg_temp.id_at(charge.at, 'charge', charge.n) as id, page.seller_id, page.id as page_id, charge.at, fate.status, amount,
      (amount * 1500 + 5000) / 10000 as fee, 'Mentoria ' || page.n as title,
      case when fate.status = 'paid' then charge.at + interval '3 minutes' end as paid_at,
      'E00000000' || to_char(charge.at at time zone 'UTC', 'YYYYMMDDHH24MI') || lpad(charge.n::text, 11, '0') as end_to_end_id
    from (
      select n, now() - interval '365 days' + n * interval '365 days' / ${charges} - interval '1 hour' as at,
        pg_temp.part(n, 1) as luck, 1000 + floor(pg_temp.part(n, 2) * 50000)::bigint as amount,
        case when pg_temp.part(n, 3) < 0.1 then (select count(*) from sellers) + 1 + floor(pg_temp.part(n, 4) * 0.1 * (select count(*) from sellers))
          else 1 + floor(pg_temp.part(n, 4) * (select count(*) from sellers)) end as page_number
      from generate_series(${first}::bigint, ${last}) n
    ) charge
    join pages page on page.n = page_number
    cross join lateral (
      select case when luck < 0.7 then 'paid' when luck < 0.9 then 'expired' when luck < 0.95 then 'cancelled'
        when luck < 0.99 then 'pending' else 'failed' end as status
    ) fate`)
  await session.query(`
    insert into charges (
      id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents, net_cents, page_title,
      description, pix_code, expires_at, payer_name, payer_email, end_to_end_id, paid_at, created_at, updated_at
    )
    select id, seller_id, page_id, 'bench' || lpad(n::text, 27, '0'), 'simulator', status, amount, 1500, fee, amount - fee,
      title, 'Um encontro por semana', '00020126580014br.gov.bcb.pix', at + interval '3 years',
      'Cliente ' || md5('payer' || n % 50000), 'cliente' || n % 50000 || '@mail.example',
      case when status = 'paid' then end_to_end_id end, paid_at, at, coalesce(paid_at, at)
    from batch order by n;
    insert into payments (end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, received_at, disposition)
    select end_to_end_id, 'simulator', 'bench' || lpad(n::text, 27, '0'), id, seller_id, amount, paid_at, paid_at, 'credited'
    from batch where status = 'paid' order by n;
    insert into ledger_transactions (id, kind, reference, seller_id, occurred_at, booked_at)
    select pg_temp.id_at(paid_at, 'entry', n), 'payment', end_to_end_id, seller_id, paid_at, paid_at
    from batch where status = 'paid' order by n;
    insert into ledger_postings (transaction_id, seller_id, debit_account, credit_account, amount_cents)
    select pg_temp.id_at(paid_at, 'entry', n), seller_id, debit, credit, moved
    from batch cross join lateral (values
      ('psp-clearing:simulator', 'seller-available:' || seller_id, amount),
      ('seller-available:' || seller_id, 'fee-revenue', fee)
    ) posting (debit, credit, moved)
    where status = 'paid' order by n`)
}

/** Money that nobody knows: one in a thousand. */
async function seedUnmatched(session: Session, charges: number): Promise<void> {
  await session.query(`
    create temp table unknown as
    select n, 'E99999999' || lpad(n::text, 23, '0') as end_to_end_id, now() - n * interval '365 days' / ${charges / 1000} as at
    from generate_series(1::bigint, ${Math.ceil(charges / 1000)}) n;
    insert into payments (end_to_end_id, provider, amount_cents, paid_at, received_at, disposition, reason)
    select end_to_end_id, 'simulator', 1000, at, at, 'suspense', 'unknown_txid' from unknown;
    insert into payment_reviews (id, end_to_end_id, reason, received_at)
    select pg_temp.id_at(at, 'review', n), end_to_end_id, 'unknown_txid', at from unknown;
    insert into ledger_transactions (id, kind, reference, occurred_at, booked_at)
    select pg_temp.id_at(at, 'unknown', n), 'unmatched-payment', end_to_end_id, at, at from unknown;
    insert into ledger_postings (transaction_id, debit_account, credit_account, amount_cents)
    select pg_temp.id_at(at, 'unknown', n), 'psp-clearing:simulator', 'suspense:simulator', 1000 from unknown`)
}

/** One for 35 paid charges, of that charge's net: no balance can fall short. Nothing is left for the payouts' job. */
async function seedWithdrawals(session: Session): Promise<void> {
  await session.query(`
    create temp table asked as
    select row_number() over (order by paid_at) as n, seller_id, net_cents as amount, paid_at + interval '1 hour' as at,
      (array['completed','completed','completed','completed','completed','pending','rejected','cancelled'])[
        1 + floor(pg_temp.part(row_number() over (order by paid_at), 5) * 8)::int] as status
    from charges where status = 'paid' and pg_temp.part(amount_cents + extract(epoch from paid_at)::bigint, 6) < 1 / 35.0;
    insert into withdrawals (
      id, seller_id, amount_cents, method, pix_key, pix_key_kind, payout_id, status, provider, attempts,
      created_at, approved_at, processed_at
    )
    select pg_temp.id_at(at, 'withdrawal', n), seller_id, amount, 'pix', 'vendedor' || n % 1000 || '@loja.example', 'email',
      replace(pg_temp.id_at(at, 'withdrawal', n)::text, '-', ''), status,
      case when status = 'completed' then 'simulator' end, case when status = 'completed' then 1 else 0 end, at,
      case when status = 'completed' then at end, case when status <> 'pending' then at + interval '1 hour' end
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
      insert into ledger_transactions (id, kind, reference, seller_id, occurred_at, booked_at)
      select pg_temp.id_at(at, '${kind}', n), '${kind}', pg_temp.id_at(at, 'withdrawal', n)::text, seller_id, at, at
      from asked where ${condition} order by n;
      insert into ledger_postings (transaction_id, seller_id, debit_account, credit_account, amount_cents)
      select pg_temp.id_at(at, '${kind}', n), seller_id, ${debit}, ${credit}, amount from asked where ${condition} order by n`)
  }
}
