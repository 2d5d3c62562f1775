import { type Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertWithdrawals } from "../../../test-support/insert-withdrawals.ts"
import { buffersOf } from "../../../test-support/query-plans.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { existsPaidFromBrowser } from "./reads.ts"
import type { Destination } from "./withdrawal.ts"

let database: TestDatabase
let sellerId: string

const bank = (account: string) => ({ bank: "001", agency: "1234", account, accountType: "corrente" }) as const
const pix = (key: string): Destination => ({ method: "pix", pixKey: { kind: "email", key } })

beforeAll(async () => {
  database = await createTestDatabase()
  sellerId = await createSeller(database)
  const at = new Date("2026-01-01T00:00:00Z")
  await insertWithdrawals(
    database.db,
    Array.from({ length: 6_000 }, () => ({ sellerId, status: "completed" as const, at })),
  )
  const ended = { provider: "simulator", approved_at: at, sent_at: at, processed_at: at }
  const row = {
    seller_id: sellerId,
    amount_cents: 1_000 as Cents,
    status: "completed",
    created_at: at,
    ...ended,
  } as const
  const id = newId()
  await database.db
    .insertInto("withdrawals")
    .values({
      ...{ ...row, id, payout_id: id.replaceAll("-", ""), method: "bank_transfer" },
      bank_data: JSON.stringify(bank("12345-6")),
    })
    .execute()
  await asOwner(database, "analyze withdrawals")
})

afterAll(() => database.drop())

test.each<[string, Destination, boolean]>([
  ["a known key", pix("ana@loja.example"), true],
  ["another key", pix("outra@loja.example"), false],
  ["a known account", { method: "bank_transfer", bankData: bank("12345-6") }, true],
  ["another account", { method: "bank_transfer", bankData: bank("99999-9") }, false],
])("%s is found, or not, by an index, however many withdrawals there were", async (_name, destination, isKnown) => {
  let isFound: boolean | null = null
  const buffers = await buffersOf(database, async (db) => {
    isFound = await existsPaidFromBrowser(db, sellerId, destination)
  })
  expect({ isFound, isCheap: buffers <= 25 }).toEqual({ isFound: isKnown, isCheap: true })
})
