import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { saoPauloDay, saoPauloHour } from "#kit/clock"
import { invariant } from "#kit/errors"
import { notifyShops, withdrawFromShops } from "#people/team/notify"
import type { Notice } from "#platform/mails/notice"
import type { OwnerNotice } from "#platform/mails/notify-owner"
import { findNoticesOfKeys } from "#platform/mails/reads"
import type { UnmailedSale } from "./table.ts"

type Sale = Pick<UnmailedSale, "chargeId" | "sellerId" | "paidAt" | "pageTitle" | "amountCents" | "netCents">

/** A seller's notices of one hour have these places. More payments than places are one notice, in the first. */
const places = [1, 2, 3]

/** Call it for each sale once. Whoever sells by the minute reads one notice an hour, which goes on. */
export async function notifyOfSales(tx: Tx, sales: readonly Sale[], now: Date): Promise<void> {
  const hours = [...Map.groupBy(sales, (sale) => `${sale.sellerId} ${hourKeyOf(sale)}`).values()]
  if (hours.length === 0) return
  const known = await findNoticesOfKeys(tx, {
    userIds: [...new Set(sales.map(({ sellerId }) => sellerId))],
    keys: [...new Set(sales.map(hourKeyOf))].flatMap((hourKey) => places.map((place) => `${hourKey}:${place}`)),
  })
  const changes = hours.map((sold) => changesOfHour(sold, known))
  await notifyShops(
    tx,
    changes.flatMap(({ notices }) => notices),
    now,
  )
  await withdrawFromShops(
    tx,
    changes.flatMap(({ merged }) => merged),
  )
}

function hourKeyOf({ paidAt }: Sale): string {
  return `payments:${saoPauloDay(paidAt)}:${saoPauloHour(paidAt)}`
}

type Known = Awaited<ReturnType<typeof findNoticesOfKeys>>

interface Changes {
  notices: OwnerNotice[]
  merged: { userId: string; key: string }[]
}

/** `sold` is what one seller sold in one hour, and was not told of. */
function changesOfHour(sold: readonly Sale[], known: Known): Changes {
  const [first] = sold
  if (first === undefined) return { notices: [], merged: [] }
  const { sellerId: userId, paidAt } = first
  const keys = places.map((place) => `${hourKeyOf(first)}:${place}`)
  const notified = known.filter((each) => each.userId === userId && keys.includes(each.key))
  const all = [...notified.map(({ notice }) => totalsOf(notice)), ...sold.map((sale) => ({ ...sale, count: 1 }))]
  const count = all.reduce((sum, each) => sum + each.count, 0)
  if (count <= places.length) {
    const free = keys.slice(notified.length)
    return { notices: sold.map((sale, at) => ({ userId, about: free[at] ?? "", notice: ofSale(sale) })), merged: [] }
  }
  const notice = {
    kind: "payments_received",
    day: saoPauloDay(paidAt),
    hour: saoPauloHour(paidAt),
    count,
    amountCents: all.map(({ amountCents }) => amountCents).reduce(addCents, noMoney),
    netCents: all.map(({ netCents }) => netCents).reduce(addCents, noMoney),
  } as const
  const [about = ""] = keys
  return { notices: [{ userId, about, notice }], merged: notified.filter(({ key }) => key !== about) }
}

function ofSale({ chargeId, pageTitle, amountCents, netCents }: Sale): Notice {
  return { kind: "payment_received", chargeId, pageTitle, amountCents, netCents }
}

function totalsOf(notice: Notice): { count: number; amountCents: Cents; netCents: Cents } {
  if (notice.kind === "payments_received") return notice
  invariant(notice.kind === "payment_received", `a payment was notified as ${notice.kind}`)
  return { ...notice, count: 1 }
}
