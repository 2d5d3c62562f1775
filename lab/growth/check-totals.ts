import type { Statement } from "../recorded-statements.ts"

interface Compared {
  what: string
  ofRows: number
  ofTotals: number
}

const text = `
  with rows as (
    select count(*) as count, sum(amount_cents) as gross,
      count(*) filter (where status = 'paid') as paid, sum(net_cents) filter (where status = 'paid') as paid_net,
      sum(refunded_cents - refunded_fee_cents) as refunded_net
    from charges where status <> 'creating'
  )
  select compared.what, of_rows::bigint as "ofRows", of_totals::bigint as "ofTotals"
  from rows cross join lateral (values
    ('charges by seller', count, (select sum(count) from charge_totals)),
    ('their amounts', gross, (select sum(gross_cents) from charge_totals)),
    ('charges by seller and day', count, (select sum(count) from charge_day_totals)),
    ('paid by seller and day', paid, (select sum(count) from paid_day_totals)),
    ('net of the platform', paid_net,
      (select sum(net_cents) from platform_day_totals where subject = 'charge-paid')),
    ('net of what was refunded', refunded_net, (select sum(refunded_cents - refunded_fee_cents) from charge_totals)),
    ('all accounts', 0, (select sum(balance_cents) from ledger_accounts)),
    ('fees', (select sum(fee_cents) from charges where status = 'paid'),
      (select balance_cents from ledger_accounts where id = 'fee-revenue'))
  ) compared (what, of_rows, of_totals)`

/** Compares the kept totals with sums over the rows, for histories too long to verify seller by seller. */
export async function checkTotals(run: (statement: Statement) => Promise<unknown[]>): Promise<void> {
  const compared = (await run({ text, values: [] })) as Compared[]
  const wrong = compared.filter(({ ofRows, ofTotals }) => ofRows !== ofTotals)
  if (wrong.length > 0) throw new Error(`the seeded totals are wrong: ${JSON.stringify(wrong)}`)
}
