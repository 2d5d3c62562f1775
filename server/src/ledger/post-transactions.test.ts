import type { Cents } from "@tilinta/contract/vocabulary/money"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { feeRevenue, pspClearing, sellerAvailable } from "./accounts.ts"
import { type LedgerTransaction, postTransactions } from "./post-transactions.ts"
import { readBalance, verifyLedger } from "./reads.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

function payment(sellerId: string, reference: string, amountCents = 10_000, feeCents = 1_500): LedgerTransaction {
  const seller = sellerAvailable(sellerId)
  return {
    kind: "payment-accepted",
    reference,
    sellerId,
    occurredAt: new Date(),
    postings: [
      { debit: pspClearing("test"), credit: seller, amountCents: amountCents as Cents },
      { debit: seller, credit: feeRevenue, amountCents: feeCents as Cents },
    ],
  }
}

async function post(transactions: LedgerTransaction[]): Promise<void> {
  await database.db.transaction().execute((tx: Tx) => postTransactions(tx, transactions))
}

async function asOwner(statement: string): Promise<unknown> {
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  try {
    return await owner.query(statement)
  } finally {
    await owner.end()
  }
}

test("postings move the balances of both accounts", async () => {
  const sellerId = newId()
  const before = await readBalance(database.db, pspClearing("test"))
  await post([payment(sellerId, newId())])
  expect(await readBalance(database.db, sellerAvailable(sellerId))).toBe(8_500)
  expect(await readBalance(database.db, pspClearing("test"))).toBe(before - 10_000)
  expect(await verifyLedger(database.db)).toEqual([])
})

test("the same kind and reference can't be booked twice", async () => {
  const sellerId = newId()
  const reference = newId()
  await post([payment(sellerId, reference)])
  await expect(post([payment(sellerId, reference)])).rejects.toThrow(/duplicate key/)
  expect(await readBalance(database.db, sellerAvailable(sellerId))).toBe(8_500)
})

test("of two at once with one reference, one is booked", async () => {
  const sellerId = newId()
  const reference = newId()
  const results = await Promise.allSettled([post([payment(sellerId, reference)]), post([payment(sellerId, reference)])])
  expect(results.map((result) => result.status).toSorted()).toEqual(["fulfilled", "rejected"])
  expect(await readBalance(database.db, sellerAvailable(sellerId))).toBe(8_500)
})

test("a seller's balance can't go below zero", async () => {
  const sellerId = newId()
  await expect(post([payment(sellerId, newId(), 100, 101)])).rejects.toThrow(/violates check constraint/)
  expect(await readBalance(database.db, sellerAvailable(sellerId))).toBe(0)
})

test.for([0, -1])("an amount of %d centavos is refused", async (amount) => {
  await expect(post([payment(newId(), newId(), amount, 1)])).rejects.toThrow(/violates check constraint/)
})

test("many at once on the same accounts neither lose a centavo nor block each other for ever", async () => {
  const sellers = [newId(), newId(), newId()]
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const shuffled = index % 2 === 0 ? sellers : sellers.toReversed()
      return post(shuffled.map((sellerId) => payment(sellerId, newId())))
    }),
  )
  const balances = await Promise.all(sellers.map((sellerId) => readBalance(database.db, sellerAvailable(sellerId))))
  expect(balances).toEqual([60 * 8_500, 60 * 8_500, 60 * 8_500])
  expect(await verifyLedger(database.db)).toEqual([])
})

test.for([
  "update journal set amount_cents = 1",
  "update journal set reference = 'x'",
  "delete from journal",
  "truncate journal",
  "update payments set amount_cents = 1",
  "update payments set fee_cents = 1",
  "delete from payments",
  "truncate payments",
  "select move_balances(array['fee-revenue'], array[1::bigint], array[0::bigint])",
  "update ledger_accounts set balance_cents = 0",
  "insert into ledger_accounts (id, kind) values ('fee-revenue:x', 'fee-revenue')",
])("M12: the server's role may not: %s", async (statement) => {
  await expect(database.pool.query(statement)).rejects.toThrow(/permission denied/)
})

test.for([
  "update journal set amount_cents = 1",
  "delete from journal",
  "truncate journal",
  "update payments set amount_cents = 1",
  "delete from payments",
  "truncate payments cascade",
])("M12: not even the owner changes history by accident: %s", async (statement) => {
  await expect(asOwner(statement)).rejects.toThrow(/append-only|referenced in a foreign key/)
})

test("the verification names the account that was tampered with", async () => {
  const sellerId = newId()
  await post([payment(sellerId, newId())])
  await asOwner(`update ledger_accounts set balance_cents = 8501 where id = 'seller-available:${sellerId}'`)
  const differences = await verifyLedger(database.db)
  expect(differences).toContainEqual({
    what: `saldo da conta seller-available:${sellerId}, em centavos`,
    expected: "8500",
    found: "8501",
  })
  await asOwner(`update ledger_accounts set balance_cents = 8500 where id = 'seller-available:${sellerId}'`)
})
