import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import { eventually } from "../eventually.ts"
import { type Answer, expectStatus, send, sendJson } from "../shop.ts"
import { untilAtRest } from "./agreement.ts"
import { fund } from "./entry-steps.ts"
import { passAMinute, settleByHand } from "./hand-settlements.ts"
import { isQuiet, newPaidCode, type PaidCode, paidCode } from "./payment-steps.ts"
import {
  availableBounds,
  backInTheEnd,
  type Code,
  feeBackOf,
  isInDoubt,
  mostAtOnceCents,
  netOf,
  openDisputeOf,
  type Refund,
  type SellerBooks,
  sum,
} from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { bankApi, call, count, queryThroughKills, timeIn, type World } from "./world.ts"

const patienceMs = 120_000
/** And a bit, after which people may speak for the bank. */
const dayMs = 25 * 3_600_000

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
    if (code.state === "paid" && !isQuiet(books, code)) await untilAtRest(world, books)
    if (isInDoubt(code)) return
    const { least, most } = availableBounds(books, world)
    const left = code.amountCents - backInTheEnd(code)
    const amountCents = Math.min(Math.max(1, Math.ceil((left * wish.permille) / 1000)), mostAtOnceCents)
    const answers = await Promise.all(
      Array.from({ length: wish.atOnce }, () => ask(world, books, code, { amountCents, by: wish.by })),
    )
    for (const answer of answers.filter(({ status }) => status === 201))
      note(world, code, { amountCents, end: "completed" }, answer)
    expectFeeParts(code)
    for (const { status } of answers) expect([201, 409, 422]).toContain(status)
    const accepted = answers.filter(({ status }) => status === 201).length
    for (let times = 0; times < accepted; times += 1) count(world, "refund")
    const isRefundable = code.state === "paid" && openDisputeOf(books, code) === undefined
    const allowed = isRefundable ? Math.min(wish.atOnce, Math.floor(left / amountCents)) : 0
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

function note(world: World, code: Code, asked: Pick<Refund, "amountCents" | "end">, { body }: Answer): Refund {
  const { amountCents, end } = asked
  const { refund: told } = body["data"] as {
    refund: { _id: string; amount: number; fee: number; netAmount: number }
  }
  const feeCents = Math.round(told.fee * 100)
  const seen = end === "completed" ? null : "processing"
  const noted: Refund = { ...asked, id: told._id, feeCents, seen, askedAtMs: timeIn(world).getTime() }
  code.refunds.push(noted)
  expect(told).toMatchObject({ amount: amountCents / 100, netAmount: (amountCents - feeCents) / 100 })
  return noted
}

/**
 * The fee shares returned are pro rata to the centavo, and those of a full refund are the whole fee. Refunds requested
 * at once have no known order, so their shares are checked as a sum.
 */
function expectFeeParts(code: Code): void {
  // The bank's own refund bears the rest of the share, and no refund of ours tells of it.
  if (code.takenCents > 0) return
  const live = code.refunds.filter(({ end }) => end !== "refused")
  const backCents = sum(live.map((each) => each.amountCents))
  expect(sum(live.map((each) => each.feeCents))).toBe(feeBackOf({ ...code, backCents }))
}

/** For an error of its own: a refund in a dispute's name would count for the next one. */
export function refundByBank(pick: number, permille: number): Step {
  return step(`the bank takes ${permille} of a thousand of payment ${pick} back`, async (books, world) => {
    const code = await paidCode(world, books, pick)
    const amountCents = Math.max(1, Math.floor(((code.amountCents - backInTheEnd(code)) * permille) / 1000))
    books.mayOwe = true
    code.takenCents += amountCents
    const wish = { endToEndId: code.endToEndId, valor: (amountCents / 100).toFixed(2), natureza: "ORIGINAL" }
    expectStatus(await sendJson(`${bankApi(world)}/devolucoes`, "POST", wish), 201)
    count(world, "refund by the bank")
  })
}

/** One that nothing hinders. */
export function refundWhole(pick: number): Step {
  return step(`refund all that is left of payment ${pick}`, async (books, world) => {
    await askForAll(world, books, await fundedCode(world, books, pick), "completed")
    count(world, "refund")
  })
}

/** The bank accepts a refund and then refuses it, for good. */
export function refundRefused(pick: number): Step {
  return step(`a refund of payment ${pick} that the bank refuses`, async (books, world) => {
    const code = await fundedCode(world, books, pick)
    await expectFault(world, "devolucao-recusada", code)
    await askForAll(world, books, code, "refused")
    count(world, "refund refused by the bank")
  })
}

export type Word = "paid" | "not_paid"

/** A refund that the bank takes, and of which it never says what became, until somebody decides. */
export function refundUnanswered(pick: number): Step {
  return step(`an unanswered refund of payment ${pick}`, async (books, world) => {
    const code = await fundedCode(world, books, pick)
    await expectFault(world, "devolucao-sem-desfecho", code)
    await askForAll(world, books, code, "processing")
  })
}

/** After a night people settle it, and perhaps the bank paid it although they say it didn't; before it, the bank does. */
export function endUnanswered(pick: number, word: Word, isPaidLate: boolean): Step {
  const late = isPaidLate ? ", and is paid after all" : ""
  return step(`unanswered refund ${pick} is settled as ${word}${late}`, async (books, world) => {
    const found = pickFrom(unansweredOf(books), pick)
    if (found === undefined) return
    const { code, refund } = found
    await untilAtBank(world, refund)
    const isOld = timeIn(world).getTime() - refund.askedAtMs > dayMs
    if (isOld) await settle(world, books, refund, word)
    refund.end = word === "paid" ? "completed" : "refused"
    if (isOld && word === "not_paid" && isPaidLate) {
      books.mayOwe = true
      refund.end = "completed"
      count(world, "refund paid after all")
    }
    await decideAtBank(world, code, refund)
  })
}

async function settle(world: World, books: SellerBooks, refund: Refund, word: Word): Promise<void> {
  await passAMinute(world, "refunds", refund.id)
  await settleByHand(world, `/admin/refunds/${refund.id}/settle`, word)
  refund.end = word === "paid" ? "completed" : "refused"
  count(world, `refund settled by hand as ${word === "paid" ? "paid" : "not paid"}`)
  await untilAtRest(world, books)
}

/** The bank decides those that nobody did in this history. */
export async function endAllUnanswered(world: World, books: SellerBooks): Promise<void> {
  for (const { code, refund } of unansweredOf(books)) {
    await untilAtBank(world, refund)
    refund.end = "completed"
    await decideAtBank(world, code, refund)
  }
}

function unansweredOf({ codes }: SellerBooks): { code: Code; refund: Refund }[] {
  return codes.flatMap((code) =>
    code.refunds.filter(({ end }) => end === "processing").map((refund) => ({ code, refund })),
  )
}

async function decideAtBank(world: World, { endToEndId }: Code, refund: Refund): Promise<void> {
  const wish = { endToEndId, id: await pspIdOf(world, refund), recusado: refund.end === "refused" }
  expectStatus(await sendJson(`${bankApi(world)}/controle/desfechos`, "POST", wish), 200)
}

/** A payment of which nothing went back, whose net is there to be refunded. */
async function fundedCode(world: World, books: SellerBooks, pick: number): Promise<PaidCode> {
  const whole = books.codes.filter((code) => backInTheEnd(code) === 0 && code.amountCents < 1_000_000)
  const found = whole.filter((code): code is PaidCode => isQuiet(books, code))
  const code = pickFrom(found, pick) ?? (await newPaidCode(world, books, 10_000 + pick))
  await fund(world, books, netOf(code))
  return code
}

async function expectFault(world: World, tipo: string, { endToEndId }: PaidCode): Promise<void> {
  const rule = { tipo, alvo: endToEndId, vezes: 1 }
  expectStatus(await sendJson(`${bankApi(world)}/controle/falhas`, "POST", rule), 201)
}

async function askForAll(world: World, books: SellerBooks, code: PaidCode, end: Refund["end"]): Promise<Refund> {
  const amountCents = code.amountCents - backInTheEnd(code)
  const answer = await ask(world, books, code, { amountCents, by: "admin" })
  expectStatus(answer, 201)
  return note(world, code, { amountCents, end }, answer)
}

async function pspIdOf(world: World, { id }: Refund): Promise<string> {
  const sql = "select psp_refund_id as id from refunds where id = $1"
  const [row] = await queryThroughKills<{ id: string }>(world, sql, [id])
  return row?.id ?? ""
}

async function untilAtBank(world: World, refund: Refund): Promise<void> {
  const id = await pspIdOf(world, refund)
  await eventually(
    async () => (await send(`${bankApi(world)}/devolucoes`)).body["devolucoes"] as { id: string }[],
    (all) => all.some((each) => each.id === id),
    patienceMs,
  )
}
