import { afterAll, beforeAll, expect, test } from "vitest"
import { createCharge } from "#domain/selling/charges/create-charge"
import { deliverMails } from "../../../../test-support/mail-delivery.ts"
import { createPage, createSeller, openSandbox, receiptOf, type Sandbox } from "../../../../test-support/sandbox.ts"
import { bookPayments } from "./book-payments.ts"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox()
})

afterAll(async () => {
  await sandbox.close()
})

async function openCharge(sellerId: string) {
  const page = await createPage(sandbox, { sellerId })
  return createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
}

const mailsOf = (sellerId: string) => deliverMails(sandbox, `${sellerId}@exemplo.com`)

test("the mail of a payment states gross, fee and net", async () => {
  const sellerId = await createSeller(sandbox)
  await bookPayments(sandbox, [receiptOf((await openCharge(sellerId)).txid, 10_000)])
  const [mail, ...rest] = await mailsOf(sellerId)
  expect(rest).toEqual([])
  expect(mail?.subject).toBe("Pagamento recebido: R$ 100,00")
  expect(mail?.text).toContain("Cobrança: Mentoria de Vendas\n")
  expect(mail?.text).toContain("Valor: R$ 100,00\nTaxa: R$ 15,00\nValor líquido: R$ 85,00")
})

test("a payment that is reported repeatedly and concurrently is mailed once", async () => {
  const sellerId = await createSeller(sandbox)
  const receipt = receiptOf((await openCharge(sellerId)).txid, 10_000)
  await bookPayments(sandbox, [receipt, receipt])
  await Promise.all(Array.from({ length: 20 }, () => bookPayments(sandbox, [receipt])))
  await Promise.all([mailsOf(sellerId), mailsOf(sellerId)])
  await bookPayments(sandbox, [receipt])
  expect(await mailsOf(sellerId)).toHaveLength(1)
})

test("a batch for several sellers mails each of them", async () => {
  const sellers = await Promise.all([createSeller(sandbox), createSeller(sandbox)])
  const charges = await Promise.all([...sellers, ...sellers].map(openCharge))
  await bookPayments(
    sandbox,
    charges.map((charge) => receiptOf(charge.txid, 10_000)),
  )
  for (const sellerId of sellers) expect(await mailsOf(sellerId)).toHaveLength(2)
})

test("an unmatched payment sends no mail", async () => {
  const sellerId = await createSeller(sandbox)
  const { txid } = await openCharge(sellerId)
  await bookPayments(sandbox, [receiptOf(txid, 9_999), receiptOf("a".repeat(32), 10_000)])
  expect(await mailsOf(sellerId)).toEqual([])
})

test("with the setting off no mail is written, with it on again the next payment is mailed", async () => {
  const sellerId = await createSeller(sandbox)
  const setNotify = (value: boolean) =>
    sandbox.db
      .insertInto("settings")
      .values({
        key: "NOTIFY_SELLER_ON_PAYMENT",
        value: JSON.stringify(value),
        type: "boolean",
        category: "notifications",
        description: "",
        is_public: false,
      })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
  await setNotify(false)
  await bookPayments(sandbox, [receiptOf((await openCharge(sellerId)).txid, 10_000)])
  expect(await mailsOf(sellerId)).toEqual([])
  await setNotify(true)
  await bookPayments(sandbox, [receiptOf((await openCharge(sellerId)).txid, 10_000)])
  expect(await mailsOf(sellerId)).toHaveLength(1)
})
