import type { PaymentMails } from "@tilinta/contract/vocabulary/mails"
import { afterAll, expect, test } from "vitest"
import { dayText, saoPauloDay, secondsAfter } from "#kit/clock"
import { createCharge } from "#selling/charges/create"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { bookPayments } from "./book.ts"
import { writeDailySummaries } from "./fold.ts"

const sandbox = await openSandbox()

afterAll(() => sandbox.close())

/** Noon of the day after today's payments. */
const tomorrow = () => new Date(`${saoPauloDay(secondsAfter(new Date(), 86_400))}T12:00:00-03:00`)

async function paidSeller(paymentMails: PaymentMails): Promise<string> {
  const sellerId = await createSeller(sandbox)
  await sandbox.db.updateTable("users").set({ payment_mails: paymentMails }).where("id", "=", sellerId).execute()
  const charges = await Promise.all(
    [1, 2].map(async () => {
      const page = await createPage(sandbox, { sellerId })
      return createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
    }),
  )
  const now = new Date()
  await bookPayments(
    sandbox,
    charges.map(({ txid }) => ({ ...receiptOf(txid, 10_000), paidAt: now })),
  )
  return sellerId
}

const mailsOf = (sellerId: string) =>
  deliverMails({ db: sandbox.db, clock: { now: tomorrow } }, `${sellerId}@exemplo.com`)
const subjectsOf = async (sellerId: string) => (await mailsOf(sellerId)).map(({ subject }) => subject)

test("each seller gets what was chosen: every payment, one mail about the day, or none", async () => {
  const [each, daily, none] = await Promise.all((["each", "daily", "none"] as const).map(paidSeller))
  expect(await subjectsOf(each ?? "")).toHaveLength(2)
  expect(await subjectsOf(daily ?? "")).toEqual([])
  const morning = { db: sandbox.db, clock: { now: tomorrow } }
  await Promise.all([writeDailySummaries(morning), writeDailySummaries(morning)])
  await writeDailySummaries(morning)
  expect(await subjectsOf(daily ?? "")).toEqual([`Resumo de ${dayText(saoPauloDay(new Date()))}: R$ 170,00`])
  expect(await subjectsOf(none ?? "")).toEqual([])
  expect(await subjectsOf(each ?? "")).toHaveLength(2)
  const [mail] = await mailsOf(daily ?? "")
  expect(mail?.text).toContain("Você recebeu 2 pagamentos por Pix.")
  expect(mail?.text).toContain("Valor: R$ 200,00\nTaxa: R$ 30,00\nValor líquido: R$ 170,00")
  expect(mail?.text).toMatch(/Não quer mais receber estes e-mails\?\nhttp:\/\/localhost:3000\/emails\/[\da-f-]{36}/)
})

test("before the morning, and without payments, nobody is written to", async () => {
  const daily = await paidSeller("daily")
  const night = new Date(tomorrow().getTime() - 7 * 3_600_000)
  await writeDailySummaries({ db: sandbox.db, clock: { now: () => night } })
  expect(await subjectsOf(daily)).toEqual([])
  const later = secondsAfter(tomorrow(), 86_400)
  await writeDailySummaries({ db: sandbox.db, clock: { now: () => later } })
  expect(await subjectsOf(daily)).toEqual([])
})
