import { recordStates } from "../seed/record-states.ts"
import type { MarketSize, Query } from "./market.ts"

const batchSize = 200_000

/** Writes with triggers and constraints like any other writer, so that the totals are the product's own. */
export async function seedMarket(
  query: Query,
  { sellers, charges, hotCharges = 0, onceCharges = 0 }: MarketSize,
): Promise<void> {
  await query(`
    insert into users (id, name, email, email_key, password_hash, cpf, phone, role, active, created_at, updated_at)
    select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Vendedor ' || n, 'v' || n || '@loja.example',
      'v' || n || '@loja.example', 'none', lpad(n::text, 11, '0'), '11987654321', 'user', true, now(), now()
    from generate_series(0, ${sellers - 1}) n`)
  await createPages(query, { sellers, first: 0, last: sellers - 1, maxPayments: null })
  const beforeOnce = charges + hotCharges
  const oncePages = { first: sellers + beforeOnce, last: sellers + beforeOnce + onceCharges - 1 }
  await createPages(query, { sellers, ...oncePages, maxPayments: 1 })
  await query(`insert into charge_page_slugs (slug, page_id) select slug, id from charge_pages`)
  const ranges = [
    { sellers, first: 0, end: charges, page: `n % ${sellers}` },
    { sellers: 1, first: charges, end: beforeOnce, page: "0" },
    { sellers, first: beforeOnce, end: beforeOnce + onceCharges, page: `n + ${sellers}` },
  ]
  for (const { end, ...range } of ranges) {
    for (let first = range.first; first < end; first += batchSize) {
      await openCharges(query, { ...range, first, last: Math.min(first + batchSize, end) - 1 })
    }
  }
  await query(`begin; ${recordStates}; commit`)
  await query("vacuum (analyze)")
  await query("checkpoint")
}

/** Page `n` belongs to seller `n % sellers`. */
async function createPages(
  query: Query,
  range: { sellers: number; first: number; last: number; maxPayments: number | null },
): Promise<void> {
  const { sellers, first, last, maxPayments } = range
  await query(`
    insert into charge_pages (
      id, seller_id, title, description, amount_cents, unique_link, slug, status, allow_anonymous, require_name,
      require_email, require_phone, require_cpf, expires_in_hours, max_payments, counted_at_once, created_at, updated_at
    )
    select ('01900000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
      ('01900000-0000-7000-8000-' || lpad(to_hex(n % ${sellers}), 12, '0'))::uuid, 'Mentoria ' || n, 'Um encontro por semana',
      1000 + n % 50000, 'L' || md5('link' || n), 'pagina-' || n, 'active', true, false, false, false, false, 0,
      ${maxPayments}, ${maxPayments !== null}, now(), now()
    from generate_series(${first}::bigint, ${last}) n`)
}

/** Ids, txids and times grow with the number, as the product's own do. */
async function openCharges(
  query: Query,
  range: { sellers: number; first: number; last: number; page: string },
): Promise<void> {
  const { sellers, first, last, page } = range
  await query(`
    insert into charges (
      id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents, net_cents, page_title,
      description, pix_code, expires_at, created_at, updated_at
    )
    select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid,
      ('01900000-0000-7000-8000-' || lpad(to_hex(n % ${sellers}), 12, '0'))::uuid,
      ('01900000-0000-7000-9000-' || lpad(to_hex(${page}), 12, '0'))::uuid,
      'bench' || lpad(n::text, 27, '0'), 'simulator', 'pending', amount, 1500, (amount * 1500 + 5000) / 10000,
      amount - (amount * 1500 + 5000) / 10000, 'Mentoria ' || ${page}, 'Um encontro por semana',
      '00020126580014br.gov.bcb.pix', now() + interval '20 hours', at, at
    from (
      select n, 1000 + n % 50000 as amount, now() - interval '3 hours' + n * interval '1 millisecond' as at
      from generate_series(${first}::bigint, ${last}) n
    ) charge`)
}
