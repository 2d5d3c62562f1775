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
  sample,
  shuffledSubarray,
  tuple,
} from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { query, readBankTotals } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { expectEachActHappened } from "./histories/acts.ts"
import { untilAtRest } from "./histories/agreement.ts"
import { expectBooksByDay } from "./histories/books-by-day.ts"
import { contest, defend, judge } from "./histories/dispute-steps.ts"
import {
  correctSeller,
  enterAs,
  enterByHand,
  proposeInVain,
  reverseCorrection,
  reverseTariff,
  takeFeesOut,
} from "./histories/entry-steps.ts"
import { passNights, sleepOver } from "./histories/nights.ts"
import { askForPix, closePage, createPage, editPage } from "./histories/page-steps.ts"
import { pay, payAnyCode, payWhileClosing, waitForAll } from "./histories/payment-steps.ts"
import { haveSecondAdministrator, restartNodes, setFee, setReserve } from "./histories/platform-steps.ts"
import {
  endAllUnanswered,
  endUnanswered,
  type RefundWish,
  refund,
  refundByBank,
  refundRefused,
  refundUnanswered,
  refundWhole,
} from "./histories/refund-steps.ts"
import { drawReserve, expectToCome, sellBetweenNights, untilReservesRest } from "./histories/reserve-steps.ts"
import { backInTheEnd, feeBackOf, mostAtOnceCents, type SellerBooks, sum } from "./histories/seller-books.ts"
import { inactivateForAWhile } from "./histories/seller-steps.ts"
import { expectStatements, expectStatementsOfAll } from "./histories/statement.ts"
import type { Step } from "./histories/step.ts"
import { decideStray, payByStrays, payStray, returnLate, settleStray, takeStrayBack } from "./histories/stray-steps.ts"
import {
  type Decision,
  decide,
  openUnansweredKey,
  paidOutOf,
  payoutUnanswered,
  returnTransfer,
  sendBack,
  sentBackOf,
  withdraw,
  withdrawAndEnd,
} from "./histories/withdrawal-steps.ts"
import { call, expectBooksInOrder, openWorld, type ReserveRules, type World } from "./histories/world.ts"
import { type Installation, openInstallation } from "./installation.ts"
import { password } from "./shop.ts"

const { lanes, perLane, mostSteps, nights, kills } = testSizes.histories
/** Each attempt to shrink runs another history. */
const mostShrinks = 60
const patience = { timeout: 1_800_000 }

let installation: Installation
let world: World

beforeAll(async () => {
  installation = await openInstallation()
  world = await openWorld(installation, 2)
  await openUnansweredKey(world)
  await openSecondAdministrator()
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
const direction = constantFrom("credit" as const, "debit" as const)
const judgement = constantFrom("accepted" as const, "accepted" as const, "rejected" as const, "cancelled" as const)
const word = constantFrom("paid" as const, "not_paid" as const)
const permille = oneof(constant(1000), integer({ min: 1, max: 1000 }))
const reserveRules = record<ReserveRules>({
  settlementDays: constantFrom(0, 0, 0, 1, 2),
  reservePercent: constantFrom(0, 10, 33.33, 100),
  reserveDays: constantFrom(0, 1, 3, 40),
})
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
  { weight: 10, arbitrary: anyOf.map(returnLate) },
  { weight: 10, arbitrary: constantFrom("an error" as const, "a dispute" as const).map(takeStrayBack) },
  { weight: 80, arbitrary: tuple(anyOf, refundWish).map(([pick, one]) => refund(pick, one)) },
  { weight: 200, arbitrary: wish.map(withdraw) },
  { weight: 240, arbitrary: tuple(anyOf, decisions).map(([pick, all]) => decide(pick, all)) },
  { weight: 10, arbitrary: constant(waitForAll()) },
  { weight: 10, arbitrary: rate.map(setFee) },
  { weight: 10, arbitrary: tuple(entryKind, price).map(([kind, amount]) => enterByHand(kind, amount)) },
  { weight: 10, arbitrary: constant(inactivateForAWhile()) },
  { weight: 30, arbitrary: tuple(anyOf, permille).map(([pick, part]) => contest(pick, part)) },
  { weight: 15, arbitrary: anyOf.map(defend) },
  { weight: 30, arbitrary: tuple(anyOf, judgement).map(([pick, how]) => judge(pick, how)) },
  { weight: 30, arbitrary: tuple(anyOf, permille).map(([pick, part]) => refundByBank(pick, part)) },
  { weight: 15, arbitrary: anyOf.map(refundRefused) },
  { weight: 10, arbitrary: anyOf.map(refundUnanswered) },
  { weight: 15, arbitrary: tuple(anyOf, word, boolean()).map((all) => endUnanswered(...all)) },
  { weight: 10, arbitrary: tuple(word, boolean()).map((all) => payoutUnanswered(...all)) },
  { weight: 20, arbitrary: boolean().map(returnTransfer) },
  { weight: 20, arbitrary: tuple(anyOf, permille).map(([pick, part]) => sendBack(pick, part)) },
  { weight: 40, arbitrary: tuple(direction, price).map(([way, amount]) => correctSeller(way, amount)) },
  { weight: 10, arbitrary: price.map(reverseCorrection) },
  { weight: 5, arbitrary: price.map(reverseTariff) },
  { weight: 10, arbitrary: integer({ min: 1, max: 500 }).map(takeFeesOut) },
  { weight: 5, arbitrary: price.map(proposeInVain) },
  { weight: 10, arbitrary: boolean().map(haveSecondAdministrator) },
  { weight: 10, arbitrary: reserveRules.map(setReserve) },
  { weight: 3, arbitrary: constant(drawReserve()) },
  { weight: 1, arbitrary: tuple(nat(2), signal).map(([which, kind]) => restartNodes(which, kind)) },
)

/** Each act that chance may leave out is played once, deliberately, in any order and by several sellers. */
const deliberate: Step[][] = [
  [
    contest(1, 600),
    judge(1, "accepted"),
    contest(2, 1000),
    defend(2),
    judge(2, "rejected"),
    contest(3, 300),
    judge(3, "cancelled"),
    refundByBank(1, 400),
    correctSeller("debit", 250),
  ],
  [
    refundWhole(1),
    refundRefused(1),
    payoutUnanswered("paid", false),
    payoutUnanswered("not_paid", false),
    payoutUnanswered("not_paid", true),
    returnLate(1),
    takeStrayBack("an error"),
    takeStrayBack("a dispute"),
  ],
  [
    drawReserve(),
    returnTransfer(false),
    returnTransfer(true),
    sendBack(1, 1000),
    sendBack(2, 350),
    withdrawAndEnd("refused by the bank"),
    withdrawAndEnd("rejected"),
    withdrawAndEnd("paid by hand"),
    settleStray("accept"),
    settleStray("return"),
    payByStrays(1),
    payByStrays(2),
  ],
  [
    enterAs("one", "capital_in", 1_000),
    enterAs("two", "bank_tariff", 70),
    enterAs("two", "yield", 31),
    proposeInVain(77),
    reverseTariff(90),
    takeFeesOut(12),
    correctSeller("credit", 500),
    reverseCorrection(401),
  ],
]

/** People speak for a bank that has not answered for a day. */
const acrossANight: Step[] = [
  refundUnanswered(1),
  refundUnanswered(2),
  refundUnanswered(3),
  sleepOver(),
  endUnanswered(0, "paid", false),
  endUnanswered(0, "not_paid", false),
  endUnanswered(0, "not_paid", true),
]

async function signUp(): Promise<{ id: string; email: string; token: string }> {
  const email = `${randomBytes(8).toString("hex")}@loja.example`
  const person = { name: "Ana Souza", email, password, passwordConfirm: password, cpf: "52998224725", phone: "" }
  const answer = await call(world, "POST", "/auth/signup", { body: person })
  expect(answer).toMatchObject({ status: 201 })
  const { user } = answer.body["data"] as { user: { _id: string } }
  return { id: user._id, email, token: String(answer.body["token"]) }
}

/** Not a person of the last 72 hours, whose word would not count. */
async function openSecondAdministrator(): Promise<void> {
  const { id, token } = await signUp()
  await query(installation.databaseUrl, "update users set role = 'admin', active = false where id = $1", [id])
  world.second = { id, token, isActive: false }
}

async function openHistory(): Promise<SellerBooks> {
  const { id, email, token } = await signUp()
  world.counts.histories += 1
  const books: SellerBooks = {
    ...{ sellerId: id, email, token, pages: [], codes: [], withdrawals: [], strays: [], disputes: [], linesTold: [] },
    ...{ correctedCents: 0, mayOwe: false, told: { availableCents: 0, ruleChanges: world.ruleChanges } },
  }
  world.sellers.push(books)
  return books
}

async function live(steps: Iterable<Step>): Promise<void> {
  const books = await openHistory()
  await asyncModelRun(() => ({ model: books, real: world }), steps)
  await endAllUnanswered(world, books)
  await untilAtRest(world, books)
  await expectStatements(world, books)
}

function shuffled(steps: Step[]): Step[] {
  const [order = []] = sample(shuffledSubarray(steps, { minLength: steps.length }), { numRuns: 1, seed: baseSeed })
  return order
}

/** A lane of its own, whose steps are not left to chance. */
async function liveDeliberately(order: Step[]): Promise<void> {
  const books = await openHistory()
  for (const each of order) {
    if (failedLane !== null) return
    await each.run(books, world).catch((error: unknown) => {
      throw new Error(`${each.toString()}, of ${order.map(String).join(", ")}, seed ${baseSeed}`, { cause: error })
    })
  }
  await untilAtRest(world, books)
  await expectStatements(world, books)
}

/** A seller whose reserve is known to the centavo. */
async function liveBySelling(isOver: () => boolean): Promise<void> {
  const books = await openHistory()
  const sales = await sellBetweenNights(world, books, isOver)
  savers.push({ books, sales })
}

const savers: { books: SellerBooks; sales: Awaited<ReturnType<typeof sellBetweenNights>> }[] = []

/**
 * Set it to the JSON that a failure printed: seed, path and replayPath repeat one history, a seed alone draws all lanes and the
 * order of the deliberate ones again.
 */
const { replayPath, ...replay } = JSON.parse(process.env["HISTORY"] ?? "{}") as {
  replayPath?: string
  seed?: number
  path?: string
}
const isReplay = replay.path !== undefined
const baseSeed = replay.seed ?? randomInt(2 ** 30)
const noLane = -1
let failedLane: number | null = null
let shrinks = 0
/** The error that stopped all lanes; theirs only follow. */
let firstFailure: Error | null = null

/** Once one lane has failed the others stop, so that its history is shrunk undisturbed. */
async function runLane(lane: number): Promise<void> {
  const histories = commands([anyStep], { maxCommands: mostSteps, size: "max", ...(isReplay && { replayPath }) })
  const property = asyncProperty(histories, async (steps) => {
    if (failedLane !== null && (failedLane !== lane || shrinks >= mostShrinks)) return
    if (failedLane === lane) shrinks += 1
    await live(steps).catch((error: unknown) => {
      failedLane ??= lane
      world.isStopping = true
      throw error
    })
  })
  await assert(property, { seed: baseSeed + lane, numRuns: perLane, ...(isReplay && replay) })
}

test("M09: whatever people and crashes do, balances follow from what was paid and asked for", patience, async () => {
  const begin = performance.now()
  const secondsSinceBegin = () => Math.round((performance.now() - begin) / 1000)
  const random = Array.from({ length: isReplay ? 1 : lanes }, (_, lane) => runLane(lane))
  const others = isReplay
    ? []
    : [acrossANight, ...deliberate.map(shuffled)].map((steps) => stopOthers(liveDeliberately(steps)))
  let areRandomOver = false
  void Promise.allSettled(random).then(() => {
    areRandomOver = true
  })
  const passing = stopOthers(runNights(() => areRandomOver))
  let areNightsOver = false
  void passing
    .finally(() => {
      areNightsOver = true
    })
    .catch(() => undefined)
  const selling = isReplay ? [] : [stopOthers(liveBySelling(() => areNightsOver))]
  const results = await Promise.allSettled([passing, ...random, ...others, ...selling])
  if (firstFailure !== null) throw firstFailure
  for (const result of results) if (result.status === "rejected") throw result.reason
  const lived = secondsSinceBegin()
  await expectBanksMoney()
  const { histories, steps, restarts, kills: killed, cutCalls } = world.counts
  const counts = `${histories} histories, ${steps} steps, ${restarts} restarts, ${killed} processes killed, ${world.pastDays.size} days`
  report(`${counts} in ${lived} s and ${secondsSinceBegin() - lived} s at the end, seed ${baseSeed}`)
  report(`${cutCalls} calls repeated; ${[...world.acts].map(([act, times]) => `${act} ${times}`).join(", ")}`)
})

/** An error here is nobody's history to shrink: all lanes stop. */
async function stopOthers(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (failedLane === null) firstFailure = error as Error
    failedLane ??= noLane
    world.isStopping = true
    world.isAbandoned = true
    throw error
  }
}

async function runNights(areOver: () => boolean): Promise<void> {
  const begun = isReplay ? 1 : lanes
  // Histories have half the most steps on average, and the last night needs some of them after it.
  const stepsBetween = (begun * perLane * mostSteps) / 3 / (nights + kills + 1)
  const isOver = () => areOver() || failedLane !== null
  await passNights(world, { count: nights, kills, waiting: isReplay ? 0 : 2, stepsBetween, isOver })
}

/** Compares the platform's accounts with the bank's own books. */
async function expectBanksMoney(): Promise<void> {
  const { suspense, fees, paidIn, byHand, capital, tariffs, ownPayouts, corrected } = world.totals
  const codes = world.sellers.flatMap((books) => books.codes)
  const back = codes.map((code) => ({ ...code, backCents: backInTheEnd(code) }))
  const refunded = world.totals.refunded + sum(back.map(({ backCents }) => backCents))
  const paidOut = sum(world.sellers.map(paidOutOf))
  const sentBack = sum(world.sellers.map(sentBackOf))
  const wanted = {
    fees: fees - sum(back.map(feeBackOf)) - ownPayouts,
    ...{ suspense, capital, tariffs, corrections: -corrected + 0, underWay: 0 },
    clearing: paidOut - sentBack + byHand + refunded + ownPayouts - paidIn - capital - tariffs,
  }
  await eventually(readPlatformAccounts, (accounts) => isDeepStrictEqual(accounts, wanted))
  await expectDisputesAsJudged()
  await untilReservesRest(world)
  for (const { books, sales } of savers) await expectToCome(world, books, sales)
  await expectBooksByDay(world, "all")
  await expectStatementsOfAll(world)
  if (!isReplay) await expectEachActHappened(world)
  for (const node of world.nodes) node.kill("SIGTERM")
  await Promise.all(world.nodes.map((node) => node.exited))
  await expectBooksInOrder(world)
  await installation.endBank()
  expect(readBankTotals(installation.bankDataDir)).toEqual({ paidIn, refunded, paidOut })
}

/** Each dispute of the bank is known, and has the end that the banks gave it. */
async function expectDisputesAsJudged(): Promise<void> {
  const rows = await query<{ id: string; state: string }>(
    installation.databaseUrl,
    "select psp_dispute_id as id, case when state = 'defended' then 'open' else state end as state from disputes",
  )
  const all = world.sellers.flatMap(({ disputes, strays }) => [
    ...disputes,
    ...strays.flatMap(({ dispute }) => dispute ?? []),
  ])
  const judged = all.map(({ id, state }) => [id, state])
  expect(new Map(rows.map(({ id, state }) => [id, state]))).toEqual(new Map(judged as [string, string][]))
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
    corrections: balanceOf("corrections"),
    clearing: balanceOf("psp-clearing:simulator"),
    underWay: balanceOf("payouts-under-way:simulator") + balanceOf("refunds-under-way:simulator"),
  }
}
