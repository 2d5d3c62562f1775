import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import { afterAll, expect, test } from "vitest"
import { type ListedNotice, listNotices, markNoticesRead } from "#platform/mails/notices"
import { createCharge } from "#selling/charges/create"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { bookPayments } from "./book.ts"
import { enqueuePaymentMails } from "./mails.ts"

const sandbox = await openSandbox()

afterAll(() => sandbox.close())

/** São Paulo's 14h and 15h of a day to come, so that every charge is older than its payment. */
const at14 = (minute: number) => new Date(Date.UTC(2099, 0, 5, 17, minute))
const at15 = (minute: number) => new Date(Date.UTC(2099, 0, 5, 18, minute))

async function sell(sellerId: string, moments: readonly Date[]): Promise<void> {
  const page = await createPage(sandbox, { sellerId, title: "Bolo de cenoura" })
  const paid = []
  for (const paidAt of moments) {
    const { txid } = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
    paid.push({ ...receiptOf(txid, 10_000), paidAt })
  }
  await bookPayments(sandbox, paid)
  await numberAllEvents(sandbox.db)
  await Promise.all([enqueuePaymentMails(sandbox), enqueuePaymentMails(sandbox)])
}

async function listOf(sellerId: string): Promise<ListedNotice[]> {
  return (await listNotices(sandbox.db, sellerId, { limit: 100, topic: "activity" })).notices
}

const titlesOf = (notices: readonly ListedNotice[]) => notices.map(({ title }) => title)

test("up to three payments of an hour are told one by one, by what was sold and without the payer", async () => {
  const sellerId = await createSeller(sandbox)
  await sell(sellerId, [at14(1), at14(2)])
  await sell(sellerId, [at14(3), at15(1)])
  const notices = await listOf(sellerId)
  expect(titlesOf(notices)).toEqual(Array(4).fill("Pagamento recebido: R$ 100,00"))
  expect(notices[0]).toMatchObject({ text: "Bolo de cenoura. Líquido: R$ 85,00.", topic: "activity" })
  expect(notices[0]?.action.path).toMatch(/^\/transactions\?transaction=/)
})

test("more are one notice of the hour, which goes on and is unread again", async () => {
  const sellerId = await createSeller(sandbox)
  const other = await createSeller(sandbox)
  await sell(other, [at14(1)])
  await sell(sellerId, [at14(1), at14(2), at14(3), at15(1)])
  await sell(sellerId, [at14(4)])
  const [ofHour, ...rest] = await listOf(sellerId)
  expect([ofHour?.title, ofHour?.text]).toEqual([
    "4 pagamentos recebidos: R$ 400,00",
    "Das 14h às 15h. Líquido: R$ 340,00.",
  ])
  expect(ofHour?.action.path).toBe(`/transactions?dateFrom=2099-01-05&dateTo=2099-01-05&shop=${sellerId}`)
  expect(titlesOf(rest)).toEqual(["Pagamento recebido: R$ 100,00"])

  await markNoticesRead(sandbox, { userId: sellerId, ids: null })
  await sell(sellerId, [at14(5), at14(6), at14(7), at14(8), at14(9)])
  const after = await listOf(sellerId)
  expect(titlesOf(after)).toEqual(["9 pagamentos recebidos: R$ 900,00", "Pagamento recebido: R$ 100,00"])
  expect(after.map(({ read_at }) => read_at === null)).toEqual([true, false])
  expect(titlesOf(await listOf(other))).toEqual(["Pagamento recebido: R$ 100,00"])
})

test("the shop's managers read the same in their own lists, each shop apart; cashiers and accountants read nothing", async () => {
  const [sellerId, other] = [await createSeller(sandbox), await createSeller(sandbox)]
  const [manager, cashier, accountant] = [
    await createSeller(sandbox),
    await createSeller(sandbox),
    await createSeller(sandbox),
  ]
  const place = (shop_id: string, user_id: string, role: ShopRole) => ({ shop_id, user_id, role, joined_at: at14(0) })
  await sandbox.db
    .insertInto("shop_members")
    .values([
      place(sellerId, manager, "manager"),
      place(other, manager, "owner"),
      place(sellerId, cashier, "cashier"),
      place(sellerId, accountant, "accountant"),
    ])
    .execute()
  await sandbox.db.updateTable("users").set({ name: "Padaria Sol" }).where("id", "=", sellerId).execute()
  await sell(other, [at14(1)])
  await sell(sellerId, [at14(1)])
  const [notice] = await listOf(manager)
  expect(notice?.text).toBe("Padaria Sol · Bolo de cenoura. Líquido: R$ 85,00.")
  expect(notice?.action.path).toMatch(new RegExp(`^/transactions\\?transaction=.*&shop=${sellerId}$`))
  await sell(sellerId, [at14(2), at14(3), at14(4)])
  const paid = "Pagamento recebido: R$ 100,00"
  expect(titlesOf(await listOf(manager))).toEqual(["4 pagamentos recebidos: R$ 400,00", paid])
  expect(titlesOf(await listOf(sellerId))).toEqual(["4 pagamentos recebidos: R$ 400,00"])
  expect([await listOf(cashier), await listOf(accountant)]).toEqual([[], []])
})

test("a flood is one notice an hour, however many runs tell it", async () => {
  const sellerId = await createSeller(sandbox)
  const minutes = Array.from({ length: 120 }, (_, number) => at14(number % 60))
  await sell(sellerId, minutes)
  const waiting = () => sandbox.db.selectFrom("untold_sales").select("seller_id").execute()
  while ((await waiting()).length > 0) {
    await sandbox.db.updateTable("mails").set({ sent_at: new Date() }).where("sent_at", "is", null).execute()
    await enqueuePaymentMails(sandbox)
  }
  expect(titlesOf(await listOf(sellerId))).toEqual(["120 pagamentos recebidos: R$ 12.000,00"])
})
