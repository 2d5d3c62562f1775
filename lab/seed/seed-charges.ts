import type { Session } from "./bulk-session.ts"

const batchSize = 1_000_000

/** Writing without triggers is faster; the seeding computes the totals itself. */
const withoutTriggers = "set local session_replication_role = replica"

/** A year of charges, evenly spread; a tenth belongs to the first seller. */
export async function seedCharges(session: Session, charges: number, sellers: number): Promise<void> {
  await session.query(`${withoutTriggers}; truncate charges cascade`)
  for (let first = 1; first <= charges; first += batchSize) {
    const last = Math.min(first + batchSize - 1, charges)
    await session.query(insertCharges({ first, last, charges, sellers }))
  }
  await session.query(`${withoutTriggers}; truncate open_charges;
    insert into open_charges (charge_id, seller_id, page_id, created_at, expires_at)
    select id, seller_id, page_id, created_at, expires_at from charges where status = 'pending'`)
}

export async function seedSearchTexts(session: Session): Promise<void> {
  await session.query(`${withoutTriggers}; truncate charge_search_texts, charge_wordings;
    insert into charge_search_texts (charge_id, source, folded)
    select id, 'charge', fold_text(payer_name) from charges where payer_name is not null`)
  await session.query(`
    insert into charge_wordings (page_id, digest, seller_id, folded)
    select page_id, md5(folded)::uuid, seller_id, folded
    from (select distinct page_id, seller_id, charge_wording(charge) as folded from charges charge) worded`)
}

/** Payments of the paid charges, and the balances that follow. */
export async function seedLedger(session: Session): Promise<void> {
  await session.query(`${withoutTriggers}; truncate payments, journal cascade;
    insert into payments (
      end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, fee_cents, paid_at, received_at, xid, disposition,
      charge_day, status_before
    )
    select end_to_end_id, provider, txid, id, seller_id, amount_cents, fee_cents, paid_at, paid_at,
      pg_temp.xid_at(paid_at), 'credited', sao_paulo_day(created_at), 'pending'
    from charges where status = 'paid';
    update charge_pages page set payments_count = paid.count
    from (select page_id, count(*) as count from charges where status = 'paid' group by page_id) paid
    where page.id = paid.page_id`)
  await session.query(`
    insert into ledger_accounts (id, kind, seller_id, balance_cents)
    select id, split_part(id, ':', 1), case when id like 'seller-%' then split_part(id, ':', 2)::uuid end, sum(change)
    from (
      select credit_account as id, sum(amount_cents) as change from ledger_postings group by 1
      union all
      select debit_account, -sum(amount_cents) from ledger_postings group by 1
    ) moved group by id order by id`)
}

interface Range {
  first: number
  last: number
  charges: number
  sellers: number
}

function insertCharges({ first, last, charges, sellers }: Range): string {
  return `
    insert into charges (
      id, seller_id, page_id, txid, provider, status, amount_cents, fee_basis_points, fee_cents, net_cents, page_title,
      description, pix_code, expires_at, payer_name, payer_email, end_to_end_id, paid_at, created_at, updated_at
    )
    select pg_temp.id_at(at, 'charge', n), seller_id, page_id, 'bench' || lpad(n::text, 27, '0'), 'simulator', status, amount,
      1500, fee, amount - fee, 'Mentoria ' || page, 'Um encontro por semana', '00020126580014br.gov.bcb.pix',
      at + interval '3 years', 'Cliente ' || left(md5('payer' || n % 50000), 12), 'cliente' || n % 50000 || '@mail.example',
      case when status = 'paid'
        then 'E00000000' || to_char(at at time zone 'UTC', 'YYYYMMDDHH24MI') || lpad(n::text, 11, '0') end,
      case when status = 'paid' then at + interval '3 minutes' end, at,
      case when status = 'paid' then at + interval '3 minutes' else at end
    from (
      select charge.n, charge.at, charge.amount, page.id as page_id, page.seller_id, page.n as page,
        (charge.amount * 1500 + 5000) / 10000 as fee,
        case when luck < 0.7 then 'paid' when luck < 0.9 then 'expired' when luck < 0.95 then 'cancelled'
          when luck < 0.99 then 'pending' else 'failed' end as status
      from (
        select n, now() - interval '365 days' + n * (interval '365 days' / ${charges}) - interval '1 hour' as at,
          pg_temp.part(n, 1) as luck, 1000 + floor(pg_temp.part(n, 2) * 50000)::bigint as amount,
          case when pg_temp.part(n, 3) < 0.1 then ${sellers} + 1 + floor(pg_temp.part(n, 4) * ${sellers * 0.1})
            else 1 + floor(pg_temp.part(n, 4) * ${sellers}) end as page_number
        from generate_series(${first}::bigint, ${last}) n offset 0
      ) charge
      join pages page on page.n = charge.page_number
      order by charge.n offset 0
    ) made`
}
