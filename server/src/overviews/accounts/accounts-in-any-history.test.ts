import type { Cents } from "@tilinta/contract/vocabulary/money"
import { array, assert, asyncProperty, constantFrom, integer, record } from "fast-check"
import { type ControlledTransaction, sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { reconcileReceipts, reconcileRefunds } from "#bank/reconciliation/reconcile"
import type { Schema } from "#db/schema"
import { type Day, daysAfter, type Month, monthsAfter, saoPauloDay, secondsAfter, systemClock } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { reconcileDisputes } from "#money/disputes/record"
import { createEntry } from "#money/manual-entries/entries"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { moveReserves } from "#money/reserves/move"
import { csvOf } from "#money/statements/export"
import { ofxOf } from "#money/statements/ofx-file"
import { readSlice } from "#money/statements/reads"
import { closeStatements, linesWithin, monthAt, spanOf } from "#money/statements/statement"
import { enterSome } from "#money/statements/table"
import { acceptUnmatchedPayment } from "#money/unmatched-payments/accept"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import { returnUnmatchedPayment } from "#money/unmatched-payments/return"
import { cancelWithdrawal } from "#money/withdrawals/account"
import { returnWithdrawal } from "#money/withdrawals/came-back"
import { approveWithdrawal, completePaidByHand } from "#money/withdrawals/decide"
import { sendPayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import type { Destination } from "#money/withdrawals/withdrawal"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { enterAllMovements } from "../../../test-support/enter-all-movements.ts"
import { openPaidCharge, type PaidCharge, receiveStray } from "../../../test-support/paid-charges.ts"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { createAdmin, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { contest, decide } from "../../../test-support/test-disputes.ts"
import { testSizes } from "../../../test-support/test-sizes.ts"
import { readAccountDay, readAccountStatement, readBooks } from "./accounts.ts"
import type { Account } from "./rules.ts"

let now: Date

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false, liquidacaoMs: 0 })
const begin = systemClock.now()
now = begin
const deps = withSharedClock(sandbox, { now: () => now })
const adminId = await createAdmin(sandbox)

afterAll(async () => {
  await enterAllMovements(sandbox.db)
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
  await sandbox.close()
})

async function waitMinutes(minutes: number): Promise<void> {
  const later = secondsAfter(now, minutes * 60 + 1)
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/controle/relogio`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ avancarMs: later.getTime() - now.getTime() }),
  })
  invariant(answer.ok, `the bank answered ${answer.status}`)
  now = later
}

interface World {
  sellerIds: string[]
  sales: PaidCharge[]
  disputes: string[]
  /** Those that an administrator has yet to pay or return. */
  byHand: string[]
  /** A transaction of somebody else's, behind which nothing is entered while it is open. */
  another: ControlledTransaction<Schema> | null
}

interface Step {
  what: keyof typeof steps
  /** Picks a seller, a sale, a way. */
  pick: number
  cents: number
  minutes: number
  enter: "nothing" | "one" | "all" | "close" | "hold back"
}

const pix: Destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } }
const transfer: Destination = {
  method: "bank_transfer",
  bankData: { bank: "Banco 1", agency: "0001", account: "12345-6", accountType: "corrente" },
}

type Play = (world: World, step: Step, pickOf: <T>(from: readonly T[]) => T) => Promise<unknown>

async function sell({ sellerIds, sales }: World, { cents }: Step, pickOf: <T>(from: readonly T[]) => T) {
  sales.push(await openPaidCharge(deps, { sellerId: pickOf(sellerIds), reais: cents / 100 }))
}

function withdraw(world: World, step: Step, pickOf: <T>(from: readonly T[]) => T, destination: Destination) {
  const seller = { id: pickOf(world.sellerIds), address: null }
  return requestWithdrawal(deps, { seller, amountCents: step.cents as Cents, destination, idempotencyKey: null })
}

const adminOf = () => ({ id: adminId, address: null })

function enterByHand(kind: "own_payout" | "bank_tariff" | "capital_in" | "yield", cents: number) {
  return createEntry(deps, {
    ...{ admin: adminOf(), idempotencyKey: null, provider: deps.psp.name, kind, amountCents: cents as Cents },
    ...{ reason: "Extrato", sellerId: null, direction: null, reference: null, reverses: null },
  })
}

const steps = {
  sale: sell,
  "another sale": sell,
  stray: async ({ sellerIds }, { cents, pick }, pickOf) => {
    const search = await receiveStray(deps, { valor: (cents / 100).toFixed(2) })
    await reconcileReceipts(deps)
    const filter = { statuses: ["open"] as const, search }
    const { payments } = await listUnmatchedPayments(deps.db, filter, { offset: 0, limit: 1 })
    const decision = { id: payments[0]?.id ?? "", admin: adminOf(), adminNotes: "" }
    if (pick % 3 === 0) return acceptUnmatchedPayment(deps, { ...decision, sellerId: pickOf(sellerIds) })
    if (pick % 3 === 1) return returnUnmatchedPayment(deps, decision)
  },
  refund: async ({ sales }, { cents }, pickOf) => {
    const { id, sellerId } = pickOf(sales)
    await requestRefund(deps, {
      ...{ chargeId: id, actor: { id: sellerId, address: null }, origin: "seller", amountCents: cents as Cents },
      ...{ reason: "", idempotencyKey: null },
    })
  },
  "refused refund": async (world, step, pickOf) => {
    await sandbox.control({ devolucoesRecusadas: true })
    try {
      await steps.refund(world, step, pickOf)
      await waitMinutes(2)
      await settleRefunds(deps)
    } finally {
      await sandbox.control({ devolucoesRecusadas: false })
    }
  },
  "settle refunds": async () => settleRefunds(deps),
  dispute: async ({ sales, disputes }, _, pickOf) => {
    disputes.push(await contest(deps, pickOf(sales).endToEndId))
    await reconcileDisputes(deps)
  },
  "decide dispute": async ({ disputes }, { pick }) => {
    const disputeId = disputes.pop()
    if (disputeId === undefined) return
    await decide(deps, disputeId, pick % 2 === 0 ? "ACEITA" : "REJEITADA")
    await reconcileDisputes(deps)
    await reconcileRefunds(deps)
  },
  withdrawal: async (world, step, pickOf) => {
    const { id, sellerId } = await withdraw(world, step, pickOf, pix)
    if (step.pick % 4 === 0) return cancelWithdrawal(deps, { id, seller: { id: sellerId, address: null } })
    if (step.pick % 4 === 1) return
    await approveWithdrawal(deps, { id, admin: adminOf(), adminNotes: "" })
    await sendPayouts(deps)
  },
  "withdrawal by hand": async (world, step, pickOf) => {
    const { id } = await withdraw(world, step, pickOf, transfer)
    await approveWithdrawal(deps, { id, admin: adminOf(), adminNotes: "" })
    world.byHand.push(id)
  },
  "end by hand": async ({ byHand }, { pick }, pickOf) => {
    const id = pickOf(byHand)
    if (pick % 2 === 0) await completePaidByHand(deps, { id, admin: adminOf(), adminNotes: "" })
    else await returnWithdrawal(deps, { id, admin: adminOf(), reason: "Conta errada" })
  },
  reserve: async (_, { pick }) => {
    await saveSetting(deps.db, "SETTLEMENT_DAYS", pick % 3)
    await saveSetting(deps.db, "RESERVE_PERCENT", (pick % 5) * 10)
    await saveSetting(deps.db, "RESERVE_DAYS", pick)
  },
  "move reserves": async () => moveReserves(deps),
  entry: async (_, { cents, pick }) =>
    enterByHand((["own_payout", "bank_tariff", "capital_in", "yield"] as const)[pick % 4] ?? "yield", cents),
  correction: async ({ sales }, { cents, pick }, pickOf) => {
    const { sellerId, endToEndId } = pickOf(sales)
    const [direction, reverses] = pick % 2 === 0 ? (["debit", endToEndId] as const) : (["credit", null] as const)
    await createEntry(deps, {
      ...{ admin: adminOf(), idempotencyKey: null, provider: deps.psp.name, kind: "correction" },
      ...{ amountCents: cents as Cents, reason: "Engano", sellerId, direction, reference: null, reverses },
    })
  },
} satisfies Record<string, Play>

/** True when it happened; what the rules refuse is part of a history, too. */
async function play(world: World, step: Step): Promise<boolean> {
  const pickOf = <T>(from: readonly T[]) => {
    const picked = from[step.pick % from.length]
    if (picked === undefined) throw new DomainError("not_found")
    return picked
  }
  try {
    await (steps[step.what] as Play)(world, step, pickOf)
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
  if (step.enter === "one") await deps.db.transaction().execute((tx) => enterSome(tx, 1))
  if (step.enter === "close") await closeStatements(deps)
  if (step.enter === "all" || step.enter === "close") {
    await letEnter(world)
    await enterAllMovements(deps.db)
  }
  if (step.enter === "hold back" && world.another === null) {
    world.another = await deps.db.startTransaction().execute()
    await sql`select pg_current_xact_id()`.execute(world.another)
  }
  return true
}

async function letEnter(world: World): Promise<void> {
  await world.another?.commit().execute()
  world.another = null
}

interface Side {
  day: Day
  account: string
  sellerId: string | null
  cents: number
}

/** Each posting's two sides, in the order of booking: the payments' rows and the journal, and nothing that is derived from them. */
async function readSides(): Promise<Side[]> {
  const { rows } = await sql<{ at: Date; debit: string; credit: string; cents: number }>`
    select booked_at as at, debit_account as debit, credit_account as credit, amount_cents as cents
    from ledger_postings order by booked_at, number, line`.execute(deps.db)
  return rows.flatMap(({ at, debit, credit, cents }) => [sideOf(at, debit, -cents), sideOf(at, credit, cents)])
}

function sideOf(at: Date, account: string, cents: number): Side {
  const isSellers = account.startsWith("seller-")
  const [kind = "", owner = null] = account.split(":")
  return { day: saoPauloDay(at), account: isSellers ? kind : account, sellerId: isSellers ? owner : null, cents }
}

/** Balances other than zero at the day's end, with debts apart as the screen shows them. */
function sumUntil(day: Day, sides: readonly Side[]): Record<string, number> {
  const sums = new Map<string, number>()
  const available = new Map<string, number>()
  const add = (to: Map<string, number>, key: string, cents: number) => to.set(key, (to.get(key) ?? 0) + cents)
  for (const side of sides) {
    if (side.day > day) continue
    if (side.account === "seller-available" && side.sellerId !== null) add(available, side.sellerId, side.cents)
    else add(sums, side.account, side.cents)
  }
  for (const cents of available.values()) add(sums, cents < 0 ? "seller-debt" : "seller-available", cents)
  return Object.fromEntries([...sums].filter(([, cents]) => cents !== 0))
}

async function readBalances(day: Day | undefined): Promise<Record<string, number>> {
  const { accounts, equation } = await readBooks(deps, day)
  expect(accounts.reduce((sum, { balanceCents }) => sum + balanceCents, 0)).toBe(0)
  expect(equation.differenceCents).toBe(0)
  return Object.fromEntries(
    accounts.filter(({ balanceCents }) => balanceCents !== 0).map(({ id, balanceCents }) => [id, balanceCents]),
  )
}

/** Page by page: each day's balance is the one before with its movements, and the books' balance of that day. */
async function checkAccount({ id, balanceCents }: Account, sides: readonly Side[], limit: number): Promise<void> {
  const rows = []
  let after: Day | undefined
  do {
    const page = await readAccountStatement(deps, { id, after, limit })
    expect(page.account.balanceCents).toBe(balanceCents)
    rows.push(...page.rows)
    after = page.next ?? undefined
  } while (after !== undefined)
  let sum = 0
  for (const row of rows.toReversed()) {
    sum += row.creditsCents - row.debitsCents
    expect(row.balanceCents).toBe(sum)
    expect(sum, `${id} as of ${row.day}`).toBe(sumUntil(row.day, sides)[id] ?? 0)
    await checkPostings({ id, day: row.day, limit }, sides)
    if (id.startsWith("seller-")) continue
    const ofDay = sides.filter(({ account, day }) => account === id && day === row.day)
    const credits = ofDay.reduce((all, { cents }) => all + Math.max(cents, 0), 0)
    expect([row.creditsCents, row.debitsCents]).toEqual([
      credits,
      credits - ofDay.reduce((all, { cents }) => all + cents, 0),
    ])
  }
  expect(sum).toBe(balanceCents)
}

/** Page by page: the postings of an account and day are the journal's. Debts are no account of the journal. */
async function checkPostings({ id, day, limit }: { id: string; day: Day; limit: number }, sides: readonly Side[]) {
  if (id === "seller-debt") return
  const found = new Map<string, number>()
  let after: string | undefined
  do {
    const page = await readAccountDay(deps, { id, day, after, limit })
    for (const { position, amountCents } of page.postings) {
      expect(found.has(position)).toBe(false)
      found.set(position, amountCents)
    }
    after = page.next ?? undefined
  } while (after !== undefined)
  const ofDay = sides.filter((side) => side.account === id && side.day === day)
  expect(sumOf([...found.values()]), `${id} on ${day}`).toBe(sumOf(ofDay.map(({ cents }) => cents)))
}

const centsOf = (text: string) => Number(text.replace(/[.,]/, ""))
const sumOf = (cents: readonly number[]) => cents.reduce((all, each) => all + each, 0)

async function readAll(parts: AsyncIterable<string | Buffer>): Promise<string> {
  let text = ""
  for await (const part of parts) text += part.toString()
  return text
}

/** Opening + movements = closing in both files, and the closing balance is what the journal says. */
async function checkMonth(sellerId: string, month: Month, sides: readonly Side[]): Promise<void> {
  const span = spanOf(sellerId, month)
  const { openingCents, closingCents } = await readSlice(deps.db, { ...span, order: "asc", after: null, limit: 1 })
  const own = sides.filter((side) => side.account === "seller-available" && side.sellerId === sellerId)
  const until = (last: Month) => sumOf(own.filter(({ day }) => day.slice(0, 7) <= last).map(({ cents }) => cents))
  expect([openingCents, closingCents]).toEqual([until(monthsAfter(month, -1)), until(month)])

  const csv = await readAll(csvOf(linesWithin(deps.db, span), null))
  const lines = parseCsv(csv)
  expect(sumOf(lines.map((cells) => centsOf(cells["Valor (R$)"] ?? "")))).toBe(closingCents - openingCents)
  expect(centsOf(lines.at(-1)?.["Saldo (R$)"] ?? String(openingCents))).toBe(closingCents)

  const facts = { ...span, month, now, until: span.to, openingCents }
  const ofx = await readAll(ofxOf(facts, linesWithin(deps.db, span)))
  const amounts = [...ofx.matchAll(/<TRNAMT>([-\d.]+)</g)].map(([, amount = ""]) => centsOf(amount))
  expect(amounts).toHaveLength(lines.length)
  expect(sumOf(amounts)).toBe(closingCents - openingCents)
  expect(centsOf(/<BALAMT>([-\d.]+)</.exec(ofx)?.[1] ?? "")).toBe(closingCents)
}

async function checkBooks({ sellerIds }: World, limit: number): Promise<void> {
  const sides = await readSides()
  const today = saoPauloDay(now)
  for (let day = daysAfter(saoPauloDay(begin), -1); day <= today; day = daysAfter(day, 1)) {
    expect(await readBalances(day), `as of ${day}`).toEqual(sumUntil(day, sides))
  }
  const { accounts } = await readBooks(deps, undefined)
  for (const account of accounts) await checkAccount(account, sides, limit)
  for (const sellerId of sellerIds) {
    for (let month = monthAt(begin); month <= monthAt(now); month = monthsAfter(month, 1)) {
      await checkMonth(sellerId, month, sides)
    }
  }
}

const step = record<Step>({
  what: constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
  pick: integer({ min: 0, max: 20 }),
  cents: integer({ min: 100, max: 50_000 }),
  minutes: constantFrom(0, 1, 90, 700, 1440, 4000, 9000),
  enter: constantFrom("nothing", "nothing", "one", "all", "close", "hold back"),
})

/** Plays each step on two new sellers, and checks the books after each one and at the end. Returns what happened. */
async function playHistory(history: readonly Step[]): Promise<Step["what"][]> {
  const happened: Step["what"][] = []
  const world: World = { sellerIds: [], sales: [], disputes: [], byHand: [], another: null }
  for (let n = 0; n < 2; n += 1) world.sellerIds.push(await createSeller(sandbox))
  for (const sellerId of world.sellerIds) world.sales.push(await openPaidCharge(deps, { sellerId, reais: 400 }))
  try {
    for (const each of history) {
      await waitMinutes(each.minutes)
      if (await play(world, each)) happened.push(each.what)
      expect(await readBalances(undefined)).toEqual(sumUntil(saoPauloDay(now), await readSides()))
    }
  } finally {
    await letEnter(world)
  }
  await enterAllMovements(deps.db)
  await checkBooks(world, 1 + (history[0]?.pick ?? 0))
  return happened
}

test("each kind of step happens, and the accounts as of every day are the journal's sums", async () => {
  const kinds = Object.keys(steps) as Step["what"][]
  const usual = { cents: 2_500, minutes: 700, enter: "one" } as const
  expect(await playHistory(kinds.map((what, pick) => ({ ...usual, what, pick })))).toEqual(kinds)
})

test("whatever happens, the accounts as of every day are the journal's sums, and so are statements and their files", {
  timeout: 600_000,
}, async () => {
  const { count, fewestSteps, mostSteps } = testSizes.bookHistories
  const anyHistory = array(step, { minLength: fewestSteps, maxLength: mostSteps, size: "max" })
  await assert(
    asyncProperty(anyHistory, async (history) => void (await playHistory(history))),
    { numRuns: count, endOnFailure: true },
  )
})
