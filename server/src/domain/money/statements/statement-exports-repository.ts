import { type RawBuilder, sql } from "kysely"
import { labelCell, momentCell, signedMoneyCell, textCell } from "#db/csv-cells"
import { feeMeaning, meanings } from "./statement-line.ts"
import type { Span } from "./statements-repository.ts"

const descriptions = Object.fromEntries(
  Object.entries(meanings).flatMap(([kind, meaning]) => (meaning === null ? [] : [[kind, meaning.description]])),
)

/** Each movement, and its fee on a line of its own. */
export function statementRows({ sellerId, from, to }: Span): RawBuilder<unknown> {
  const within = sql`at >= ${from} and at < ${to}`
  return sql`
    select
      ${momentCell("line.at")} as "Data",
      case when line.is_fee then ${feeMeaning.description} else ${labelCell(sql.ref("line.kind"), descriptions)} end as "Lançamento",
      ${textCell("line.reference")} as "Referência",
      ${signedMoneyCell(sql.ref("line.amount_cents"))} as "Valor (R$)",
      ${signedMoneyCell(sql.ref("line.balance_cents"))} as "Saldo (R$)"
    from (
      select
        movement.at, movement.number, part.place, movement.kind, movement.reference, part.amount_cents,
        part.balance_cents, part.place = 2 or movement.kind = 'payment-accepted' and part.amount_cents < 0 as is_fee
      from (
        select at, number, kind, reference, amount_cents, fee_cents, balance_cents from statement_lines
        where seller_id = ${sellerId} and ${within}
        union all
        select at, number, kind, reference, amount_cents, fee_cents, balance_cents from statement_tail(${sellerId})
        where ${within}
      ) movement
      cross join lateral (values
        (1, movement.amount_cents, movement.balance_cents + movement.fee_cents),
        (2, -movement.fee_cents, movement.balance_cents)
      ) part (place, amount_cents, balance_cents)
      where part.place = 1 or movement.fee_cents > 0
    ) line
    order by line.at, line.number, line.place`
}
