import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { ReportsDb } from "#db/transaction"
import { salesOfDays } from "#domain/selling/charges/sales-of-days"
import type { Clock } from "#kit/clock"
import { monthOf, saoPauloDay } from "#kit/sao-paulo-day"

interface Sums {
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
}

export interface Income {
  year: number
  months: (Sums & { month: string })[]
  total: Sums
}

const nothing: Sums = { count: 0, grossCents: noMoney, feeCents: noMoney, netCents: noMoney }

/** A year's sales by month, by the day of the payment, less what was given back of them. */
export async function readIncome(
  deps: { reportsDb: ReportsDb; clock: Clock },
  wish: { sellerId: string; year: string | undefined },
): Promise<Income> {
  const year = wish.year ?? saoPauloDay(deps.clock.now()).slice(0, 4)
  const days = await salesOfDays(deps.reportsDb, {
    sellerId: wish.sellerId,
    dayFrom: `${year}-01-01`,
    dayTo: `${year}-12-31`,
  })
  const sales = days.map(({ day, count, grossCents, netCents }) => ({
    month: monthOf(day),
    ...{ count, grossCents, netCents, feeCents: subtractCents(grossCents, netCents) },
  }))
  const byMonth = Map.groupBy(sales, ({ month }) => month)
  const months = [...byMonth].map(([month, all]) => ({ month, ...all.reduce(plus, nothing) }))
  return { year: Number(year), months, total: months.reduce(plus, nothing) }
}

function plus(a: Sums, b: Sums): Sums {
  return {
    count: a.count + b.count,
    grossCents: addCents(a.grossCents, b.grossCents),
    feeCents: addCents(a.feeCents, b.feeCents),
    netCents: addCents(a.netCents, b.netCents),
  }
}
