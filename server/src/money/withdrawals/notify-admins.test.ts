import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import type { OutboxMail } from "#mail/outbox"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { requestWithdrawal } from "./request.ts"

let database: TestDatabase
let deps: { db: TestDatabase["db"]; clock: typeof systemClock }

beforeAll(async () => {
  database = await createTestDatabase()
  deps = { db: database.db, clock: systemClock }
})

afterAll(async () => {
  await database.drop()
})

async function createAdmin(active: boolean): Promise<string> {
  const id = await createSeller(database)
  await database.db.updateTable("users").set({ role: "admin", active }).where("id", "=", id).execute()
  return `${id}@exemplo.com`
}

async function request(idempotencyKey: string | null = null): Promise<void> {
  const sellerId = await createSeller(database)
  await giveBalance(database.db, sellerId, 10_000)
  const input = {
    seller: { id: sellerId, address: null },
    amountCents: 1_000 as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@exemplo.com" } },
    idempotencyKey,
  } as const
  await requestWithdrawal(deps, input)
  if (idempotencyKey !== null) await requestWithdrawal(deps, input)
}

const isForAdmins = ({ subject }: OutboxMail) => subject.startsWith("Saque solicitado")

test("every active admin gets one mail for each request, and nobody else", async () => {
  const admins = await Promise.all([createAdmin(true), createAdmin(true)])
  await createAdmin(false)
  await request("uma-vez")
  const mails = (await deliverMails(deps)).filter(isForAdmins)
  expect(mails.map((mail) => mail.to).toSorted()).toEqual(admins.toSorted())
  expect(mails[0]?.subject).toBe("Saque solicitado: R$ 10,00")
  expect(mails[0]?.text).toContain("Ana Souza")
})

test("the setting switches the mails off, from the next request on", async () => {
  await database.db
    .insertInto("settings")
    .values({
      key: "NOTIFY_ADMIN_ON_WITHDRAWAL",
      value: "false",
      type: "boolean",
      category: "notifications",
      description: "",
      is_public: false,
      updated_by: null,
    })
    .execute()
  const before = (await deliverMails(deps)).filter(isForAdmins)
  await request()
  expect((await deliverMails(deps)).filter(isForAdmins)).toEqual(before)
})
