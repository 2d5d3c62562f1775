import { isDeepStrictEqual } from "node:util"
import { expect } from "vitest"
import { type Day, daysAfter, saoPauloDay } from "../../../server/src/kit/clock.ts"
import { eventually } from "../eventually.ts"
import { expectStatus } from "../shop.ts"
import { untilAtRest } from "./agreement.ts"
import { correct, fund } from "./entry-steps.ts"
import { newPaidCode, type PaidCode } from "./payment-steps.ts"
import { changeFee, changeReserve } from "./platform-steps.ts"
import { centsOf, netOf, type SellerBooks, sum } from "./seller-books.ts"
import { type Step, step } from "./step.ts"
import { call, count, queryThroughKills, type ReserveRules, timeIn, type World } from "./world.ts"

/** The job holds and releases every ten seconds of a server's life; kills and starts lie between. */
const heldWithinMs = 180_000
/** A night releases, and others change the rules. */
const mostTries = 20
const releasedWithinMs = 180_000

/** A sale of a seller who only sells, by the rules of that moment. */
interface Sale {
  bookedOn: Day
  netCents: number
  rules: ReserveRules
}

/** A debit that the available balance lacks takes the rest from the reserve. */
export function drawReserve(): Step {
  return step("a debit draws from the reserve", async (books, world) => {
    const tried: unknown[] = []
    while (tried.length < mostTries) {
      await fund(world, books, 0)
      const reserved = await reserveSome(world, books)
      await untilAtRest(world, books)
      const { availableCents } = books.told
      const amountCents = availableCents + Math.min(reserved, 1_000)
      tried.push({
        reserved,
        availableCents,
        rules: world.reserve,
        fee: world.feeBasisPoints,
        nights: world.counts.nights,
      })
      if (reserved === 0 || amountCents <= 0) continue
      const before = await countDrawn(world, books)
      await correct(world, books, { direction: "debit", amountCents })
      if ((await countDrawn(world, books)) > before) return count(world, "reserve drawn")
    }
    throw new Error(`nothing was drawn: ${JSON.stringify(tried)}`)
  })
}

/** Under rules that hold something, which nobody changes meanwhile. */
async function reserveSome(world: World, books: SellerBooks): Promise<number> {
  // A fee of all there is leaves nothing to hold.
  if (world.feeBasisPoints > 5_000) await changeFee(world, 1_500)
  if (!holdsSome(world)) {
    await changeReserve(world, { settlementDays: 0, reservePercent: 50, reserveDays: 3 })
  }
  return world.rulesGate.together(async () => {
    if (!holdsSome(world)) return 0
    await untilHeld(world, await newPaidCode(world, books, 20_000))
    return readReserved(world, books)
  })
}

function holdsSome({ reserve: { settlementDays, reservePercent, reserveDays } }: World): boolean {
  return settlementDays > 0 || (reservePercent >= 10 && reserveDays >= 2)
}

/** Until the job has decided what is held of a sale; the day on which it was booked. */
async function untilHeld(world: World, { endToEndId }: PaidCode): Promise<Day> {
  const sql = `select (booked_at at time zone 'America/Sao_Paulo')::date::text as day,
      (select xid < below from payments, reserve_progress where end_to_end_id = reference) as "isPassed"
    from ledger_postings where kind = 'payment' and reference = $1`
  const [row] = await eventually(
    () => queryThroughKills<{ day: Day; isPassed: boolean }>(world, sql, [endToEndId]),
    ([found]) => found?.isPassed === true,
    heldWithinMs,
  )
  if (row === undefined) throw new Error(`${endToEndId} is not in the ledger`)
  return row.day
}

async function readReserved(world: World, { sellerId }: SellerBooks): Promise<number> {
  const sql = "select balance_cents as cents from ledger_accounts where id = $1"
  const [row] = await queryThroughKills<{ cents: string }>(world, sql, [`seller-reserved:${sellerId}`])
  return Number(row?.cents ?? 0)
}

async function countDrawn(world: World, { sellerId }: SellerBooks): Promise<number> {
  const sql = "select count(*)::int as times from journal where kind = 'reserve-drawn' and seller_id = $1"
  const [row] = await queryThroughKills<{ times: number }>(world, sql, [sellerId])
  return row?.times ?? 0
}

/** With everything else at rest: no sale waits to be held, and nothing that is due to be released. */
export async function untilReservesRest(world: World): Promise<void> {
  const sql = `select
      (select count(*)::int from balance_movements, reserve_progress
       where kind in ('payment', 'payment-accepted') and xid >= below) as sales,
      (select count(*)::int from reserve_holds where released_at is null and due_on <= $1::date) as due`
  await eventually(
    () => queryThroughKills<{ sales: number; due: number }>(world, sql, [saoPauloDay(timeIn(world))]),
    ([left]) => left?.sales === 0 && left.due === 0,
    releasedWithinMs,
  )
}

/** A seller who only sells: what waits of the sales is known to the centavo, and free on its day. */
export async function sellBetweenNights(world: World, books: SellerBooks, isOver: () => boolean): Promise<Sale[]> {
  const sales: Sale[] = []
  for (let index = 0; index < mostSales; index += 1) {
    // The first night finds something that waits, whatever rules the others set.
    if (index === 2) world.counts.waiting += 1
    if (index % 2 === 0) await changeReserve(world, rulesOf(index))
    sales.push(await sell(world, books, 1_001 + 333 * index))
    await expectToCome(world, books, sales)
    if (isOver()) break
  }
  return sales
}

const mostSales = 12
const rulesOf = (index: number): ReserveRules => ({
  settlementDays: [1, 0, 2][(index / 2) % 3] ?? 0,
  reservePercent: [10, 33.33, 100][(index / 2) % 3] ?? 10,
  reserveDays: [3, 2, 40][(index / 2) % 3] ?? 1,
})

/** The rules are not changed before the sale is held. */
function sell(world: World, books: SellerBooks, amountCents: number): Promise<Sale> {
  return world.rulesGate.together(async () => {
    const { reserve: rules } = world
    const code = await newPaidCode(world, books, amountCents)
    return { bookedOn: await untilHeld(world, code), netCents: netOf(code), rules }
  })
}

/** Opposite to the server, sale by sale: the reserve waits for the longer time, the rest for the settlement. */
function waitingOf({ bookedOn, netCents, rules }: Sale, today: Day): number {
  const { settlementDays, reservePercent, reserveDays } = rules
  const basisPoints = reserveDays > 0 ? Math.round(reservePercent * 100) : 0
  const reserve = Number((BigInt(netCents) * BigInt(basisPoints) + 5_000n) / 10_000n)
  const parts = [
    { cents: reserve, dueOn: daysAfter(bookedOn, Math.max(settlementDays, reserveDays)) },
    { cents: netCents - reserve, dueOn: daysAfter(bookedOn, settlementDays) },
  ]
  return sum(parts.filter(({ dueOn }) => dueOn > today).map(({ cents }) => cents))
}

/** A part that is due today is released some seconds after midnight, or after a night. */
export async function expectToCome(world: World, { token }: SellerBooks, sales: readonly Sale[]): Promise<void> {
  const read = async () => {
    const { data } = expectStatus(await call(world, "GET", "/withdrawals?limit=1", { token }), 200)
    const { available, toCome } = (data as { summary: { available: number; toCome: number } }).summary
    return [centsOf(available), centsOf(toCome)]
  }
  const wanted = () => {
    const toCome = sum(sales.map((sale) => waitingOf(sale, saoPauloDay(timeIn(world)))))
    return [sum(sales.map(({ netCents }) => netCents)) - toCome, toCome]
  }
  const told = await eventually(read, (found) => isDeepStrictEqual(found, wanted()), releasedWithinMs)
  expect(told, "available, and to come").toEqual(wanted())
}
