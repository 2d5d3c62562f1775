import { randomBytes, randomInt } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import {
  assert,
  asyncModelRun,
  asyncProperty,
  boolean,
  commands,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  tuple,
} from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testSizes } from "../test-support/test-sizes.ts"
import { query, readBankTotals } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { untilAtRest } from "./histories/agreement.ts"
import { expectBooksByDay } from "./histories/books-by-day.ts"
import { passNights } from "./histories/nights.ts"
import { askForPix, closePage, createPage, editPage } from "./histories/page-steps.ts"
import { pay, payAnyCode, payWhileClosing, waitForAll } from "./histories/payment-steps.ts"
import { enterByHand, restartNodes, setFee } from "./histories/platform-steps.ts"
import { type RefundWish, refund } from "./histories/refund-steps.ts"
import { mostAtOnceCents, type SellerBooks } from "./histories/seller-books.ts"
import { inactivateForAWhile } from "./histories/seller-steps.ts"
import { expectStatements, expectStatementsOfAll } from "./histories/statement.ts"
import type { Step } from "./histories/step.ts"
import { decideStray, payStray } from "./histories/stray-steps.ts"
import { type Decision, decide, withdraw } from "./histories/withdrawal-steps.ts"
import { call, expectBooksInOrder, openWorld, type World } from "./histories/world.ts"
import { type Installation, openInstallation } from "./installation.ts"
import { password } from "./shop.ts"

const { lanes, perLane, mostSteps, nights } = testSizes.histories
/** Each attempt to shrink runs another history. */
const mostShrinks = 60
const patience = { timeout: 1_800_000 }

let installation: Installation
let world: World

beforeAll(async () => {
  installation = await openInstallation()
  world = await openWorld(installation, 2)
})

afterAll(() => installation.close())

const anyOf = nat(11)
const price = oneof(
  { weight: 5, arbitrary: integer({ min: 100, max: 300 }) },
  { weight: 5, arbitrary: integer({ min: 100, max: 100_000 }) },
  { weight: 1, arbitrary: constant(mostAtOnceCents) },
)
const rate = oneof(constantFrom(0, 1, 333, 1500, 5000, 9999, 10_000), integer({ min: 0, max: 10_000 }))
const entryKind = constantFrom("capital_in" as const, "bank_tariff" as const, "yield" as const)
const signal = constantFrom("SIGTERM" as const, "SIGKILL" as const)
const ending = constantFrom("cancel" as const, "delete" as const)
const wish = record({
  permille: oneof(constantFrom(1000, 1001, 500), integer({ min: 1, max: 1000 })),
  byPix: oneof({ arbitrary: constant(true), weight: 3 }, { arbitrary: constant(false), weight: 1 }),
  isRefusedByBank: oneof({ arbitrary: constant(false), weight: 3 }, { arbitrary: constant(true), weight: 1 }),
  atOnce: constantFrom(1, 1, 2, 3),
  isRepeated: boolean(),
})
const decisions = constantFrom<Decision[]>(
  ["approve"],
  ["approve"],
  ["reject"],
  ["cancel"],
  ["complete"],
  ["approve", "reject"],
  ["approve", "cancel", "reject"],
  ["approve", "approve", "approve"],
  ["complete", "complete"],
)

const strayDecisions = constantFrom<("accept" | "return")[]>(["accept"], ["return"], ["accept", "return"])
const refundWish = record<RefundWish>({
  permille: oneof(constantFrom(1000, 1000, 1001, 500), integer({ min: 1, max: 1000 })),
  by: constantFrom("seller" as const, "admin" as const),
  atOnce: constantFrom(1, 1, 2, 3),
})

/** Weights: a restart takes as long as a hundred other steps. */
const anyStep = oneof(
  { weight: 80, arbitrary: tuple(price, boolean()).map(([amount, takesMany]) => createPage(amount, takesMany)) },
  { weight: 40, arbitrary: tuple(anyOf, price).map(([pick, amount]) => editPage(pick, amount)) },
  { weight: 50, arbitrary: tuple(anyOf, ending).map(([pick, how]) => closePage(pick, how)) },
  { weight: 120, arbitrary: anyOf.map(askForPix) },
  { weight: 200, arbitrary: tuple(anyOf, constantFrom(1, 1, 1, 3)).map(([pick, times]) => pay(pick, times)) },
  { weight: 80, arbitrary: anyOf.map(payAnyCode) },
  { weight: 40, arbitrary: tuple(anyOf, ending).map(([pick, how]) => payWhileClosing(pick, how)) },
  {
    weight: 30,
    arbitrary: tuple(anyOf, price, boolean()).map(([pick, amount, isForCode]) => payStray(pick, amount, isForCode)),
  },
  { weight: 30, arbitrary: tuple(anyOf, strayDecisions).map(([pick, all]) => decideStray(pick, all)) },
  { weight: 80, arbitrary: tuple(anyOf, refundWish).map(([pick, one]) => refund(pick, one)) },
  { weight: 200, arbitrary: wish.map(withdraw) },
  { weight: 240, arbitrary: tuple(anyOf, decisions).map(([pick, all]) => decide(pick, all)) },
  { weight: 10, arbitrary: constant(waitForAll()) },
  { weight: 10, arbitrary: rate.map(setFee) },
  { weight: 10, arbitrary: tuple(entryKind, price).map(([kind, amount]) => enterByHand(kind, amount)) },
  { weight: 10, arbitrary: constant(inactivateForAWhile()) },
  { weight: 1, arbitrary: tuple(nat(2), signal).map(([which, kind]) => restartNodes(which, kind)) },
)

async function openHistory(): Promise<SellerBooks> {
  const email = `${randomBytes(8).toString("hex")}@loja.example`
  const person = { name: "Ana Souza", email, password, passwordConfirm: password, cpf: "52998224725", phone: "" }
  const answer = await call(world, "POST", "/auth/signup", { body: person })
  expect(answer).toMatchObject({ status: 201 })
  world.counts.histories += 1
  const { user } = answer.body["data"] as { user: { _id: string } }
  const token = String(answer.body["token"])
  const books = { sellerId: user._id, email, token, pages: [], codes: [], withdrawals: [], strays: [], linesTold: [] }
  world.sellers.push(books)
  return books
}

async function live(steps: Iterable<Step>): Promise<void> {
  const books = await openHistory()
  await asyncModelRun(() => ({ model: books, real: world }), steps)
  await untilAtRest(world, books)
  await expectStatements(world, books)
}

/** Set it to the JSON that a failure printed (seed, path and replayPath) to repeat the same history. */
const { replayPath, ...replay } = JSON.parse(process.env["HISTORY"] ?? "{}") as { replayPath?: string; seed?: number }
const isReplay = replay.seed !== undefined
const baseSeed = randomInt(2 ** 30)
const noLane = -1
let failedLane: number | null = null
let shrinks = 0

/** Once one lane has failed the others stop, so that its history is shrunk undisturbed. */
async function runLane(lane: number): Promise<void> {
  const histories = commands([anyStep], { maxCommands: mostSteps, size: "max", ...(isReplay && { replayPath }) })
  const property = asyncProperty(histories, async (steps) => {
    if (failedLane !== null && (failedLane !== lane || shrinks >= mostShrinks)) return
    if (failedLane === lane) shrinks += 1
    await live(steps).catch((error: unknown) => {
      failedLane ??= lane
      throw error
    })
  })
  await assert(property, { seed: baseSeed + lane, numRuns: perLane, ...replay })
}

test("M09: whatever people and crashes do, balances follow from what was paid and asked for", patience, async () => {
  const begin = performance.now()
  const secondsSinceBegin = () => Math.round((performance.now() - begin) / 1000)
  const running = Array.from({ length: isReplay ? 1 : lanes }, (_, lane) => runLane(lane))
  const results = await Promise.allSettled([...running, runNights(running)])
  for (const result of results) if (result.status === "rejected") throw result.reason
  const lived = secondsSinceBegin()
  await expectBanksMoney()
  const { histories, steps, restarts } = world.counts
  const counts = `${histories} histories, ${steps} steps, ${restarts} restarts, ${world.pastDays.size} days`
  report(`${counts} in ${lived} s and ${secondsSinceBegin() - lived} s at the end, seed ${baseSeed}`)
})

/** A night that goes wrong is nobody's history: all lanes stop. */
async function runNights(running: Promise<void>[]): Promise<void> {
  let isOver = false
  void Promise.allSettled(running).then(() => {
    isOver = true
  })
  // Histories have half the most steps on average, and the last night needs some of them after it.
  const stepsBetween = (running.length * perLane * mostSteps) / 3 / (nights + 1)
  try {
    await passNights(world, { count: nights, stepsBetween, isOver: () => isOver || failedLane !== null })
  } catch (error) {
    failedLane ??= noLane
    throw error
  }
}

/** Compares the platform's accounts with the bank's own books. */
async function expectBanksMoney(): Promise<void> {
  const { suspense, fees, paidIn, refunded, paidOut, byHand, capital, tariffs } = world.totals
  const clearing = paidOut + byHand + refunded - paidIn - capital - tariffs
  const wanted = { fees, suspense, capital, tariffs, clearing, underWay: 0 }
  await eventually(readPlatformAccounts, (accounts) => isDeepStrictEqual(accounts, wanted), 60_000)
  await expectBooksByDay(world, "all")
  await expectStatementsOfAll(world)
  for (const node of world.nodes) node.kill("SIGTERM")
  await Promise.all(world.nodes.map((node) => node.exited))
  await expectBooksInOrder(world)
  await installation.endBank()
  expect(readBankTotals(installation.bankDataDir)).toEqual({ paidIn, refunded, paidOut })
}

async function readPlatformAccounts(): Promise<Record<string, number>> {
  const rows = await query<{ id: string; balance: string }>(
    installation.databaseUrl,
    "select id, balance_cents as balance from ledger_accounts where seller_id is null",
  )
  const balanceOf = (id: string) => Number(rows.find((row) => row.id === id)?.balance ?? 0)
  return {
    fees: balanceOf("fee-revenue"),
    suspense: balanceOf("suspense:simulator"),
    capital: balanceOf("capital"),
    tariffs: balanceOf("bank-tariffs"),
    clearing: balanceOf("psp-clearing:simulator"),
    underWay: balanceOf("payouts-under-way:simulator") + balanceOf("refunds-under-way:simulator"),
  }
}
