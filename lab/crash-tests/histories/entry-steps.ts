import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import type { Answer } from "../shop.ts"
import type { Act } from "./acts.ts"
import { untilAtRest } from "./agreement.ts"
import { newPaidCode } from "./payment-steps.ts"
import { changeFee, changeSecond } from "./platform-steps.ts"
import { availableBounds, type SellerBooks } from "./seller-books.ts"
import { type Step, step } from "./step.ts"
import { call, count, type World } from "./world.ts"

type PlatformKind = "capital_in" | "bank_tariff" | "yield"
type Direction = "credit" | "debit"

const actOf = { capital_in: "capital paid in", bank_tariff: "bank tariff", yield: "yield" } as const satisfies Record<
  PlatformKind,
  Act
>

interface Entry {
  kind: PlatformKind | "own_payout" | "correction"
  amountCents: number
  sellerId?: string
  direction?: Direction
  reverses?: string
}

/** The id is null when a rule refused it, or the second administrator. */
interface Booked {
  id: string | null
  answer: Answer
}

/**
 * Entries of a person, because no list of the bank tells of such money. Either administrator proposes, the other one
 * approves; one alone books at once.
 */
async function enter(world: World, entry: Entry, isApproved = true): Promise<Booked> {
  return world.rulesGate.together(async () => {
    const { amountCents, ...facts } = entry
    const { second, adminToken } = world
    const [author, other] =
      second.isActive && amountCents % 2 === 0 ? [second.token, adminToken] : [adminToken, second.token]
    const body = { ...facts, amount: amountCents / 100, reason: "Conforme o extrato" }
    const answer = await call(world, "POST", "/admin/journal", { body, token: author, key: randomUUID() })
    if (answer.status !== 201) return { id: null, answer }
    const { _id, alone } = (answer.body["data"] as { entry: { _id: string; alone: boolean } }).entry
    expect(alone).toBe(!second.isActive)
    if (alone) {
      count(world, "entry booked alone")
      return { id: _id, answer }
    }
    const verb = isApproved ? "approve" : "refuse"
    const decided = await call(world, "PATCH", `/admin/journal/${_id}/${verb}`, { token: other })
    if (decided.status === 200) count(world, `entry ${isApproved ? "approved" : "refused"} by the second administrator`)
    return { id: decided.status === 200 && isApproved ? _id : null, answer: decided }
  })
}

/** Booked whenever no rule is against it. */
async function book(world: World, entry: Entry): Promise<string> {
  const { id, answer } = await enter(world, entry)
  if (id === null) throw new Error(`not booked: ${answer.status} ${JSON.stringify(answer.body)}`)
  return id
}

export function enterByHand(kind: PlatformKind, amountCents: number): Step {
  return step(`enter ${amountCents} as ${kind}`, async (_books, world) => {
    await book(world, { kind, amountCents })
    note(world, kind, amountCents)
  })
}

function note(world: World, kind: PlatformKind, amountCents: number): void {
  const { totals } = world
  if (kind === "capital_in") totals.capital += amountCents
  else totals.tariffs += kind === "yield" ? amountCents : -amountCents
  count(world, actOf[kind])
}

/** By one administrator alone, or by two, whoever else makes them come and go. */
export function enterAs(people: "one" | "two", kind: PlatformKind, amountCents: number): Step {
  return step(`${people} enter ${amountCents} as ${kind}`, async (_books, world) => {
    const act = people === "one" ? "entry booked alone" : "entry approved by the second administrator"
    const before = world.acts.get(act)
    while (world.acts.get(act) === before) {
      await changeSecond(world, people === "two")
      await book(world, { kind, amountCents })
      note(world, kind, amountCents)
    }
  })
}

/** The second administrator refuses it, and nothing moves; one alone has booked it at once. */
export function proposeInVain(amountCents: number): Step {
  return step(`an entry of ${amountCents} that the second administrator refuses`, async (_books, world) => {
    const act = "entry refused by the second administrator"
    const before = world.acts.get(act)
    while (world.acts.get(act) === before) {
      await changeSecond(world, true)
      const { id } = await enter(world, { kind: "bank_tariff", amountCents }, false)
      if (id !== null) note(world, "bank_tariff", amountCents)
    }
  })
}

/** A tariff was no tariff: the yield of the same amount says so, and no second one may. */
export function reverseTariff(amountCents: number): Step {
  return step(`a tariff of ${amountCents} is reversed`, async (_books, world) => {
    const reverses = await book(world, { kind: "bank_tariff", amountCents })
    note(world, "bank_tariff", amountCents)
    await book(world, { kind: "yield", amountCents, reverses })
    note(world, "yield", amountCents)
    count(world, "entry reversed")
    await expectReversed(world, { kind: "yield", amountCents: 1, reverses })
  })
}

async function expectReversed(world: World, entry: Entry): Promise<void> {
  expect((await enter(world, entry)).answer).toMatchObject({ status: 409, body: { code: "event_corrected" } })
}

/** Fees are taken out: not more than there are, less what sellers owe. */
export function takeFeesOut(amountCents: number): Step {
  return step(`take ${amountCents} of the fees out`, async (books, world) => {
    for (let tries = 0; tries < 3; tries += 1) {
      const { id, answer } = await enter(world, { kind: "own_payout", amountCents })
      if (id !== null) {
        world.totals.ownPayouts += amountCents
        return count(world, "own payout")
      }
      expect(answer).toMatchObject({ status: 409, body: { code: "own_payout_above_fees" } })
      // One large sale pays for all debts.
      await changeFee(world, 5_000)
      await newPaidCode(world, books, 900_000_000)
    }
  })
}

interface Correction {
  direction: Direction
  amountCents: number
  reverses?: string
}

export async function correct(world: World, books: SellerBooks, correction: Correction): Promise<string | null> {
  const { direction, amountCents } = correction
  const { least } = availableBounds(books, world)
  const { id, answer } = await enter(world, { kind: "correction", sellerId: books.sellerId, ...correction })
  if (id === null) {
    expect(answer.status).toBe(422)
    expect(direction === "credit" || amountCents <= least, "refused although the balance has it").toBe(false)
    return null
  }
  const signed = direction === "credit" ? amountCents : -amountCents
  books.correctedCents += signed
  books.told.availableCents += signed
  world.totals.corrected += signed
  count(world, direction === "credit" ? "correction, credit" : "correction, debit")
  return id
}

/** Until so much is available, whatever was owed: a correction is the shortest way. */
export async function fund(world: World, books: SellerBooks, wantedCents: number): Promise<void> {
  await untilAtRest(world, books)
  const lack = wantedCents - books.told.availableCents
  if (lack > 0) await correct(world, books, { direction: "credit", amountCents: lack })
}

/** A debit takes what is there, and never makes a debt. */
export function correctSeller(direction: Direction, amountCents: number): Step {
  return step(`correct the seller by a ${direction} of ${amountCents}`, async (books, world) => {
    await correct(world, books, { direction, amountCents })
  })
}

/** A credit by mistake is taken back by a debit that names it, in two parts and not a centavo more. */
export function reverseCorrection(amountCents: number): Step {
  return step(`a credit of ${amountCents} is reversed`, async (books, world) => {
    const reverses = await correct(world, books, { direction: "credit", amountCents })
    if (reverses === null) throw new Error("a credit was refused")
    const part = Math.ceil(amountCents / 2)
    for (const cents of [part, amountCents - part]) {
      if (cents === 0) continue
      if ((await correct(world, books, { direction: "debit", amountCents: cents, reverses })) === null) return
    }
    count(world, "entry reversed")
    const more = { kind: "correction", sellerId: books.sellerId, direction: "debit", amountCents: 1 } as const
    await expectReversed(world, { ...more, reverses })
  })
}
