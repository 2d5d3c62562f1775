import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import type { Answer } from "../shop.ts"
import { untilAtRest } from "./agreement.ts"
import { availableBounds, type Code, mostAtOnceCents, netOf, type SellerBooks, sum } from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { call, type World } from "./world.ts"

export interface RefundWish {
  /** Thousandths of what is left; above a thousand is more than there is. */
  permille: number
  by: "seller" | "admin"
  atOnce: number
}

export function refund(pick: number, wish: RefundWish): Step {
  return step(`refund code ${pick} ${JSON.stringify(wish)}`, async (books, world) => {
    const code = pickFrom(books.codes, pick)
    if (code === undefined) return
    if (code.state === "paid" && !code.isSeen) await untilAtRest(world, books)
    const { least, most } = availableBounds(books)
    const left = code.amountCents - sum(code.refunds.map(({ amountCents }) => amountCents))
    const amountCents = Math.min(Math.max(1, Math.ceil((left * wish.permille) / 1000)), mostAtOnceCents)
    const answers = await Promise.all(
      Array.from({ length: wish.atOnce }, () => ask(world, books, code, { amountCents, by: wish.by })),
    )
    for (const answer of answers.filter(({ status }) => status === 201)) note(world, code, amountCents, answer)
    expectFeeParts(code)
    for (const { status } of answers) expect([201, 409, 422]).toContain(status)
    const accepted = answers.filter(({ status }) => status === 201).length
    const allowed = code.state === "paid" ? Math.min(wish.atOnce, Math.floor(left / amountCents)) : 0
    expect(accepted).toBeLessThanOrEqual(allowed)
    if (amountCents * allowed <= least) expect(accepted).toBe(allowed)
    expect(sum(code.refunds.slice(-accepted || code.refunds.length).map(netOf))).toBeLessThanOrEqual(most)
  })
}

function ask(
  world: World,
  { token }: SellerBooks,
  { id }: Code,
  { amountCents, by }: { amountCents: number; by: RefundWish["by"] },
): Promise<Answer> {
  const body = { amount: amountCents / 100, reason: "" }
  return by === "seller"
    ? call(world, "POST", `/payments/transactions/${id}/refunds`, { body, token, key: randomUUID() })
    : call(world, "POST", `/admin/transactions/${id}/refunds`, { body, token: world.adminToken, key: randomUUID() })
}

function note(world: World, code: Code, amountCents: number, { body }: Answer): void {
  const { refund: told } = body["data"] as { refund: { amount: number; fee: number; netAmount: number } }
  const feeCents = Math.round(told.fee * 100)
  code.refunds.push({ amountCents, feeCents })
  expect(told).toMatchObject({ amount: amountCents / 100, netAmount: (amountCents - feeCents) / 100 })
  world.totals.refunded += amountCents
  world.totals.fees -= feeCents
}

/**
 * The fee shares returned are pro rata to the centavo, and those of a full refund are the whole fee. Refunds requested
 * at once have no known order, so their shares are checked as a sum.
 */
function expectFeeParts(code: Code): void {
  const back = sum(code.refunds.map((each) => each.amountCents))
  const feeBack = sum(code.refunds.map((each) => each.feeCents))
  const due = Number((BigInt(code.feeCents) * BigInt(back)) / BigInt(code.amountCents))
  expect(Math.abs(feeBack - due)).toBeLessThanOrEqual(back === code.amountCents ? 0 : 1)
}
