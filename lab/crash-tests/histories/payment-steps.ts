import { expect } from "vitest"
import { payAtBank } from "../shop.ts"
import { untilAtRest } from "./agreement.ts"
import {
  askToClose,
  type Ending,
  endPage,
  isShown,
  newPageWithCode,
  type OpenCode,
  openCode,
  settlePage,
} from "./page-steps.ts"
import {
  backInTheEnd,
  type Code,
  isFull,
  isInDoubt,
  openDisputeOf,
  paidBackOf,
  type SellerBooks,
} from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { count, type World } from "./world.ts"

/** Pays an open code `times` at once; the bank accepts one, unless a night falls before it and the code expires. */
export function pay(pick: number, times: number): Step {
  return step(`pay code ${pick}${times === 1 ? "" : ` ${times} times at once`}`, async (books, world) => {
    const code = await openCode(world, books, pick)
    const taken = await payTimes(world, code, times)
    if (!hasExpired(code)) expect(taken).toBe(1)
  })
}

/** Pays a code in any state: late, again, or after another code of its page. The bank's answer counts. */
export function payAnyCode(pick: number): Step {
  return step(`pay code ${pick}, whatever became of it`, async (books, world) => {
    const code = pickFrom(books.codes.filter(isShown), pick)
    if (code === undefined) return
    const wasOpen = code.state === "open" && !isFull(books, code.page)
    const mayBeTaken = code.state !== "paid"
    const taken = await payTimes(world, code, 1)
    if (wasOpen && !hasExpired(code)) expect(taken).toBe(1)
    if (!mayBeTaken) expect(taken).toBe(0)
  })
}

export function payWhileClosing(pick: number, how: Ending): Step {
  return step(`pay code ${pick} while its page is closed by ${how}`, async (books, world) => {
    const code = await openCode(world, books, pick)
    await settlePage(world, books, code.page)
    const [, closing] = await Promise.all([payTimes(world, code, 1), askToClose(world, books, code.page, how)])
    if (closing.status < 300) endPage(books, code.page, how)
    else expect({ closing, isFull: isFull(books, code.page) }).toMatchObject({ closing: { status: 409 }, isFull: true })
  })
}

function hasExpired({ state }: OpenCode): boolean {
  return state === "expired"
}

async function payTimes(world: World, code: OpenCode, times: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: times }, () => payAtBank(world.installation.bankUrl, code.pixCode)),
  )
  for (const { status } of answers) expect([201, 422]).toContain(status)
  const took = answers.filter(({ status }) => status === 201)
  const taken = took.length
  if (taken === 0) return 0
  code.state = "paid"
  code.endToEndId = String(took[0]?.body["endToEndId"])
  count(world, "payment")
  world.totals.paidIn += code.amountCents * taken
  world.totals.fees += code.feeCents
  return taken
}

export function waitForAll(): Step {
  return step("wait for all that is under way", (books, world) => untilAtRest(world, books))
}

export type PaidCode = Code & { endToEndId: string }

/** Picks a payment that is credited, of which nothing is on its way back and something is left, or makes one. */
export async function paidCode(world: World, books: SellerBooks, pick: number): Promise<PaidCode> {
  const found = pickFrom(
    books.codes.filter((code): code is PaidCode => isQuiet(books, code)),
    pick,
  )
  return found ?? newPaidCode(world, books, 10_000 + pick)
}

export async function newPaidCode(world: World, books: SellerBooks, amountCents: number): Promise<PaidCode> {
  for (;;) {
    const code = await newPageWithCode(world, books, amountCents)
    await payTimes(world, code, 1)
    // A night may have fallen before it.
    if (hasExpired(code)) continue
    await untilAtRest(world, books)
    if (isQuiet(books, code)) return code
    throw new Error(`a new payment is not at rest: ${JSON.stringify(code)}`)
  }
}

export function isQuiet(books: SellerBooks, code: Code): code is PaidCode {
  const isCredited = code.state === "paid" && code.isSeen && code.endToEndId !== null
  const isUnderWay = paidBackOf(code) !== code.backSeenCents || isInDoubt(code) || openDisputeOf(books, code)
  const isSettled = books.disputes.every((each) => each.code !== code || each.isSeen)
  return isCredited && !isUnderWay && isSettled && backInTheEnd(code) < code.amountCents
}
