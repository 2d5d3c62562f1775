import type pg from "pg"
import { afterAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { asOwner } from "../../test-support/as-owner.ts"
import { giveBalance } from "../../test-support/give-balance.ts"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { sellerAvailable } from "./accounts.ts"
import { lockBalances } from "./post-transactions.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

async function accountWith(cents: number) {
  const sellerId = newId()
  await giveBalance(database.db, sellerId, cents)
  return sellerAvailable(sellerId)
}

/** Whether another transaction holds the account's row at this moment. */
async function isHeld(account: string): Promise<boolean> {
  try {
    await asOwner(database, `select from ledger_accounts where id = '${account}' for update nowait`)
    return false
  } catch (error) {
    if ((error as pg.DatabaseError).code === "55P03") return true
    throw error
  }
}

test("a balance is held until the end of the transaction, and others are not", async () => {
  const [held, other] = [await accountWith(1_000), await accountWith(500)]
  const holding = async (tx: Tx) => {
    expect(await lockBalances(tx, [held])).toEqual(new Map([[held, 1_000]]))
    return { held: await isHeld(held), other: await isHeld(other) }
  }
  expect(await database.db.transaction().execute(holding)).toEqual({ held: true, other: false })
  expect(await isHeld(held)).toBe(false)
})

test("transactions that lock the same balances in opposite orders queue and never deadlock", async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, (_, index) => accountWith(index + 1)))
  const backwards = accounts.toReversed()
  const lock = (index: number) =>
    database.db.transaction().execute((tx) => lockBalances(tx, index % 2 === 0 ? accounts : backwards))
  const held = await Promise.all(Array.from({ length: 40 }, (_, index) => lock(index)))
  expect(held.map(({ size }) => size)).toEqual(held.map(() => accounts.length))
})
