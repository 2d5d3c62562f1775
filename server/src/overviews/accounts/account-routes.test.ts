import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { feeRevenue, pspClearing, sellerAvailable, sellerBlocked, sellerHeld } from "#ledger/accounts"
import { type LedgerTransaction, type Posting, postTransactions } from "#ledger/post-transactions"
import { compareStatements } from "#money/statements/reads"
import { newPerson } from "../../../test-support/admins.ts"
import { enterAllMovements } from "../../../test-support/enter-all-movements.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const [ana, bia] = [newId(), newId()] as const
const bank = pspClearing("simulator")

const site = await openTestApp()
const admin = (await newPerson(site, "chefe@loja.example", "admin")).token
await book("payment-accepted", "2026-11-10", { debit: bank, credit: sellerAvailable(ana), cents: 10_000 })
await book("payment-accepted", "2026-11-10", { debit: sellerAvailable(ana), credit: feeRevenue, cents: 1_500 })
await book("withdrawal", "2026-11-11", { debit: sellerAvailable(ana), credit: sellerHeld(ana), cents: 8_000 })
await book("payout-completed", "2026-11-12", { debit: sellerHeld(ana), credit: bank, cents: 8_000 })
await book("dispute-blocked", "2026-11-12", {
  debit: sellerAvailable(ana),
  credit: sellerBlocked(ana),
  cents: 700,
  mayOverdraw: true,
})
await book("payment-accepted", "2026-11-13", { debit: bank, credit: sellerAvailable(bia), cents: 100 })

afterAll(async () => {
  expect(await compareStatements(site.db)).toEqual([])
  await site.close()
})

interface Movement extends Omit<Posting, "amountCents"> {
  cents: number
}

async function book(kind: LedgerTransaction["kind"], day: string, { cents, ...accounts }: Movement): Promise<void> {
  const occurredAt = new Date(`${day}T12:00:00-03:00`)
  const postings = [{ ...accounts, amountCents: cents as Cents }]
  const post = (tx: Tx) => postTransactions(tx, [{ kind, reference: newId(), sellerId: null, occurredAt, postings }])
  await site.db.transaction().execute(post)
}

async function read(asOf?: string): Promise<{ balances: Record<string, number>; equation: Record<string, number> }> {
  const query = asOf === undefined ? "" : `?asOf=${asOf}`
  const { data } = (await site.call("GET", `/api/v1/admin/accounts${query}`, { token: admin })).json
  const entries: { id: string; balance: number }[] = data.accounts
  const balances = Object.fromEntries(
    entries.filter(({ balance }) => balance !== 0).map(({ id, balance }) => [id, balance]),
  )
  return { balances, equation: data.equation }
}

const days = {
  "2026-11-09": {},
  "2026-11-10": { "psp-clearing:simulator": -100, "seller-available": 85, "fee-revenue": 15 },
  "2026-11-11": { "psp-clearing:simulator": -100, "seller-available": 5, "seller-held": 80, "fee-revenue": 15 },
  "2026-11-12": {
    "psp-clearing:simulator": -20,
    "seller-debt": -2,
    "seller-blocked": 7,
    "fee-revenue": 15,
  },
  "2026-11-13": {
    "psp-clearing:simulator": -21,
    "seller-available": 1,
    "seller-debt": -2,
    "seller-blocked": 7,
    "fee-revenue": 15,
  },
}

test("the balances at the end of any day add up to zero, and are those of that day", async () => {
  await enterAllMovements(site.db)
  for (const [day, wanted] of Object.entries(days)) {
    const { balances, equation } = await read(day)
    expect(balances).toEqual(wanted)
    expect(equation["difference"]).toBe(0)
  }
  expect(await read()).toEqual(await read("2026-11-21"))
  expect((await read()).equation).toEqual({ bank: 21, sellers: 6, ours: 15, waiting: 0, difference: 0 })
})

test("what was booked a moment ago is in the balances of now", async () => {
  await book("payment-accepted", "2026-11-21", { debit: bank, credit: sellerAvailable(bia), cents: 900 })
  expect((await read()).equation).toMatchObject({ bank: 30, sellers: 15, difference: 0 })
})

test("an account opens its days, newest first, each with its balance", async () => {
  const path = "/api/v1/admin/accounts/psp-clearing:simulator/statement"
  const unentered = (await site.call("GET", `${path}?limit=1`, { token: admin })).json.data
  expect(unentered.account).toMatchObject({ balance: -30 })
  expect(unentered.rows).toEqual([{ day: "2026-11-13", credits: 0, debits: 1, balance: -21 }])
  await enterAllMovements(site.db)
  const first = (await site.call("GET", `${path}?limit=2`, { token: admin })).json.data
  expect(first.account).toMatchObject({ kind: "bank", balance: -30 })
  expect(first.rows).toEqual([
    { day: "2026-11-21", credits: 0, debits: 9, balance: -30 },
    { day: "2026-11-13", credits: 0, debits: 1, balance: -21 },
  ])
  const second = (await site.call("GET", `${path}?limit=2&after=${first.next}`, { token: admin })).json.data
  expect(second.rows).toEqual([
    { day: "2026-11-12", credits: 80, debits: 0, balance: -20 },
    { day: "2026-11-10", credits: 0, debits: 100, balance: -100 },
  ])
  expect(second.next).toBeNull()
  const unknown = async (id: string) =>
    (await site.call("GET", `/api/v1/admin/accounts/${id}/statement`, { token: admin })).status
  const ids = ["nothing", "capital:anything", "seller-available:simulator", "psp-clearing", "suspense:a:b"]
  expect(await Promise.all(ids.map(unknown))).toEqual(ids.map(() => 404))
})

test("a day of an account opens its postings, page by page", async () => {
  await enterAllMovements(site.db)
  const path = "/api/v1/admin/accounts/psp-clearing:simulator/statement"
  const readDay = async (query: string) => (await site.call("GET", `${path}?${query}`, { token: admin })).json.data
  expect((await readDay("limit=1")).postings).toBeNull()
  const day = await readDay("day=2026-11-12")
  expect(day).toMatchObject({
    rows: [{ day: "2026-11-12", credits: 80, debits: 0, balance: -20 }],
    postings: [
      { description: "Saque pago", amount: 80, counterAccount: "Vendedores: em saque", at: "2026-11-12T15:00:00.000Z" },
    ],
    next: null,
  })
  expect(await readDay("day=2026-11-11")).toMatchObject({ rows: [], postings: [], next: null })

  for (let count = 0; count < 3; count += 1) {
    await book("payment-accepted", "2026-11-21", { debit: bank, credit: sellerAvailable(bia), cents: 100 + count })
  }
  await enterAllMovements(site.db)
  const amounts: number[] = []
  let next: string | null = null
  do {
    const page = await readDay(`day=2026-11-21&limit=2${next === null ? "" : `&afterPosting=${next}`}`)
    expect(page.postings.length).toBeLessThanOrEqual(2)
    amounts.push(...page.postings.map(({ amount }: { amount: number }) => amount))
    next = page.next
  } while (next !== null)
  expect(amounts).toEqual([-9, -1, -1.01, -1.02])
  for (const cursor of ["x", "1", "1.2", "-1.2.3"]) {
    const wrong = await site.call("GET", `${path}?day=2026-11-21&afterPosting=${cursor}`, { token: admin })
    expect(wrong.status).toBe(400)
  }
})
