import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { dayText, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { saveDestinationUse } from "#money/destinations/manage"
import { bookPayments } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import { saveRule } from "#money/withdrawal-rules/table"
import { cancelWithdrawal } from "#money/withdrawals/account"
import { requestWithdrawal } from "#money/withdrawals/request"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { changeLogo, changeShop } from "#people/shops/change"
import { createCharge } from "#selling/charges/create"
import { cancelChargePage, changeAccount } from "#selling/closings/closings"
import { asOwner } from "../../../test-support/as-owner.ts"
import { openPaidCharge, payCharge } from "../../../test-support/paid-charges.ts"
import { createAdmin, createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { deleteAccount } from "./delete-account.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false, liquidacaoMs: 0 })

afterAll(() => sandbox.close())

const remove = (id: string) => deleteAccount(sandbox, { id, address: "203.0.113.7" })
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof DomainError ? error.code : Promise.reject(error)),
  )
const userOf = (id: string) => sandbox.db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
const withdraw = (sellerId: string, cents: number) =>
  requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: cents as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })

async function setRuleOf(tx: Tx, sellerId: string): Promise<void> {
  const now = sandbox.clock.now()
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  const destinationId = newId()
  const used = { id: destinationId, sellerId, destination, firstUsedAt: now, lastUsedAt: now, confirmedBy: null }
  await saveDestinationUse(tx, used)
  const next = { nextAt: now, pausedBecause: "by_owner", failure: "", lastWithdrawalId: null, mac: null } as const
  await saveRule(tx, { sellerId, every: "day", aboveCents: noMoney, destinationId, ...next })
}

async function fullSeller(): Promise<string> {
  const id = await createSeller(sandbox)
  const person = {
    cpf: "52998224725",
    phone: "11987654321",
    address: '{"city":"Recife"}',
    bank_account: '{"pixKey":"a@b.example"}',
  }
  await sandbox.db.updateTable("users").set(person).where("id", "=", id).execute()
  await changeShop(sandbox, { id, address: null }, { name: "Doces da Ana", whatsapp: "11987654321" })
  await changeLogo(sandbox, { id, address: null }, Buffer.from(id))
  await createPage(sandbox, { sellerId: id, maxPayments: null })
  await sandbox.db.transaction().execute((tx) => setRuleOf(tx, id))
  return id
}

test("an account without money becomes nobody's: its data go, its pages end, its e-mail is free, one mail says so", async () => {
  const id = await fullSeller()
  const { email } = await userOf(id)
  await remove(id)
  expect(await userOf(id)).toMatchObject({
    ...{ name: "Conta excluída", password_hash: null, cpf: "", phone: "", address: {}, bank_account: {} },
    ...{ active: false, erased_at: expect.any(Date) },
  })
  const again = await sandbox.db.selectFrom("users").select("id").where("email_key", "=", email).execute()
  expect(again).toEqual([])
  for (const table of ["shops", "shop_names"] as const) {
    expect(await sandbox.db.selectFrom(table).select("seller_id").where("seller_id", "=", id).execute()).toEqual([])
  }
  const pages = await sandbox.db.selectFrom("charge_pages").select("status").where("seller_id", "=", id).execute()
  expect(pages).toEqual([{ status: "cancelled" }])
  const mails = await sandbox.db
    .selectFrom("mails")
    .select(["to_address", "dedupe_key"])
    .where("user_id", "=", id)
    .execute()
  expect(mails).toEqual([{ to_address: email, dedupe_key: `account-erased:${id}` }])
  const audit = await sandbox.db
    .selectFrom("audit_records")
    .select(["action", "after"])
    .where("entity_id", "=", id)
    .execute()
  expect(audit).toContainEqual({ action: "user.erased", after: null })
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
})

test("deleting twice, also at once, happens once", async () => {
  const id = await fullSeller()
  const results = await Promise.all([refusalOf(remove(id)), refusalOf(remove(id))])
  expect(results.sort()).toEqual(["done", "unauthenticated"])
  expect(await refusalOf(remove(id))).toBe("unauthenticated")
})

test("nobody brings a deleted account back", async () => {
  const [id, admin] = [await fullSeller(), await createAdmin(sandbox)]
  await remove(id)
  const change = { id, admin: { id: admin, address: null }, changes: { active: true } }
  expect(await refusalOf(changeAccount({ ...sandbox, onRecovery: async () => undefined }, change))).toBe(
    "account_erased",
  )
})

test("it is refused for administrators, with money, an open code, a withdrawal or a debt, and nothing changes", async () => {
  const admin = await createAdmin(sandbox)
  expect(await refusalOf(remove(admin))).toBe("account_not_deletable")

  const rich = await fullSeller()
  await openPaidCharge(sandbox, { sellerId: rich })
  expect(await refusalOf(remove(rich))).toBe("account_not_deletable")
  const withdrawal = await withdraw(rich, 8_500)
  expect(await readSellerBalance(sandbox.db, rich)).toBe(0)
  expect(await refusalOf(remove(rich))).toBe("account_not_deletable")
  await cancelWithdrawal(sandbox, { id: withdrawal.id, seller: { id: rich, address: null } })

  const selling = await fullSeller()
  const page = await createPage(sandbox, { sellerId: selling })
  await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  expect(await refusalOf(remove(selling))).toBe("account_not_deletable")
  expect(await userOf(selling)).toMatchObject({ active: true, erased_at: null })
  await cancelChargePage(sandbox, { id: page.id, sellerId: selling })
  expect(await refusalOf(remove(selling))).toBe("done")
})

test("of a deletion and a payment at once, the money is with the seller or the deletion is refused", async () => {
  const id = await createSeller(sandbox)
  const charge = await payCharge(sandbox, { sellerId: id })
  const receipt = await sandbox.psp.findReceipt(charge.endToEndId)
  if (receipt === null) throw new Error("the bank doesn't know what it was paid")
  const [deletion] = await Promise.all([refusalOf(remove(id)), bookPayments(sandbox, [receipt])])
  expect(deletion).toBe("account_not_deletable")
  expect(await readSellerBalance(sandbox.db, id)).toBe(8_500)
})

test("a payment that arrives after the deletion waits for a person, and the books agree", async () => {
  const id = await createSeller(sandbox)
  const charge = await payCharge(sandbox, { sellerId: id })
  await cancelChargePage(sandbox, { id: charge.pageId, sellerId: id })
  await remove(id)
  const receipt = await sandbox.psp.findReceipt(charge.endToEndId)
  if (receipt === null) throw new Error("the bank doesn't know what it was paid")
  await bookPayments(sandbox, [receipt])
  const filter = { statuses: ["open"] as const, search: charge.endToEndId }
  const { payments } = await listUnmatchedPayments(sandbox.db, filter, { offset: 0, limit: 1 })
  expect(payments).toMatchObject([{ reason: "late" }])
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
})

test("of a deletion and a withdrawal at once, one happens", async () => {
  const id = await createSeller(sandbox)
  await openPaidCharge(sandbox, { sellerId: id })
  const [deletion, asked] = await Promise.all([refusalOf(remove(id)), refusalOf(withdraw(id, 8_500))])
  expect([deletion, asked]).toEqual(["account_not_deletable", "done"])
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
})

test("while a payer may still dispute what was paid it is refused, with the day from which on it works", async () => {
  const id = await createSeller(sandbox)
  await openPaidCharge(sandbox, { sellerId: id })
  await withdrawAll(id)
  const paidAt = new Date()
  const at = (days: number) => new Date(paidAt.getTime() + days * 86_400_000)
  const removeOn = (days: number) =>
    deleteAccount({ ...sandbox, clock: { now: () => at(days) } }, { id, address: "203.0.113.7" })
  await expect(removeOn(0)).rejects.toMatchObject({
    code: "account_not_deletable",
    shownMessage: expect.stringContaining(dayText(saoPauloDay(at(81)))),
  })
  expect(await refusalOf(removeOn(79))).toBe("account_not_deletable")
  expect(await refusalOf(removeOn(81))).toBe("done")
})

test("what was refunded as a whole is disputed by nobody, and keeps no account", async () => {
  const id = await createSeller(sandbox)
  const charge = await openPaidCharge(sandbox, { sellerId: id })
  await sandbox.db
    .updateTable("charges")
    .set({ refunded_cents: 10_000 as Cents, refunded_fee_cents: 1_500 as Cents, status: "refunded" })
    .where("id", "=", charge.id)
    .execute()
  await withdrawAll(id)
  expect(await refusalOf(remove(id))).toBe("done")
})

/** As if all of it had been paid out. */
async function withdrawAll(sellerId: string): Promise<void> {
  await asOwner(sandbox, `update ledger_accounts set balance_cents = 0 where id = 'seller-available:${sellerId}'`)
}
