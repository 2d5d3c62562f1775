import { expect, test } from "vitest"
import { startTestBank, startWebhookReceiver, type TestBank, until } from "../test-support/test-bank.ts"

async function register(bank: TestBank, webhookUrl: string): Promise<void> {
  expect((await bank.api("PUT", `/webhook/${bank.receiverKey}`, { webhookUrl })).status).toBe(200)
}

async function payNewCharge(bank: TestBank) {
  const { pixCopiaECola } = await bank.createCharge()
  const { status, body } = await bank.pay(pixCopiaECola)
  expect(status).toBe(201)
  return body
}

test("a payment is sent to the webhook at once, under /pix", async () => {
  const bank = await startTestBank()
  const receiver = await startWebhookReceiver()
  await register(bank, `${receiver.url}/`)

  const payment = await payNewCharge(bank)

  await receiver.isReached(1)
  expect(receiver.received).toEqual([
    { path: "/hooks/segredo/pix", body: { pix: [{ ...payment, chave: bank.receiverKey }] }, at: expect.any(Number) },
  ])
  expect((receiver.received[0]?.at ?? 0) - Date.parse(payment.horario)).toBeLessThan(500)
})

test("what the receiver does not take is sent again until it does, and then no more", async () => {
  const bank = await startTestBank()
  const receiver = await startWebhookReceiver()
  receiver.answerWith(500)
  await register(bank, receiver.url)
  await payNewCharge(bank)

  await receiver.isReached(1)
  receiver.answerWith(204)
  await receiver.isReached(2)
  await new Promise((resolve) => setTimeout(resolve, 2500))

  const [first, second] = receiver.received
  expect(receiver.received).toHaveLength(2)
  expect(second?.body).toEqual(first?.body)
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(900)
})

test("what is still owed is delivered after a restart", async () => {
  const before = await startTestBank()
  const receiver = await startWebhookReceiver()
  receiver.answerWith(503)
  await register(before, receiver.url)
  const payment = await payNewCharge(before)
  await receiver.isReached(1)
  await before.stop()
  receiver.answerWith(200)

  await startTestBank({ dataDir: before.dataDir })

  await until(() => receiver.received.length >= 2)
  expect(receiver.toldIds().at(-1)).toBe(payment.endToEndId)
})

test("a hundred payments at once are sent one by one, each once", async () => {
  const bank = await startTestBank()
  const receiver = await startWebhookReceiver()
  await register(bank, receiver.url)
  const charges = await Promise.all(Array.from({ length: 100 }, () => bank.createCharge()))

  const payments = await Promise.all(charges.map(({ pixCopiaECola }) => bank.pay(pixCopiaECola)))

  await receiver.isReached(100)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(receiver.toldIds().toSorted()).toEqual(payments.map(({ body }) => body.endToEndId).toSorted())
})

test("with webhooks off the notice is lost for good, and the Pix is listed all the same", async () => {
  const bank = await startTestBank()
  const receiver = await startWebhookReceiver()
  await register(bank, receiver.url)
  await bank.call("PUT", "/simulador/api/controle", { webhooksAtivos: false })
  const silent = await payNewCharge(bank)
  await bank.call("PUT", "/simulador/api/controle", { webhooksAtivos: true })
  const told = await payNewCharge(bank)

  await receiver.isReached(1)
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(receiver.toldIds()).toEqual([told.endToEndId])
  const listed = await bank.api("GET", "/pix?inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z")
  expect(listed.body.pix[0]?.endToEndId).toBe(silent.endToEndId)
})

test("a receiver that never answers neither holds the payment nor the stop", async () => {
  const bank = await startTestBank()
  const { createServer } = await import("node:net")
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  const { port } = silent.address() as { port: number }
  await register(bank, `http://127.0.0.1:${port}`)

  const startedAt = Date.now()
  await payNewCharge(bank)
  await bank.stop()

  expect(Date.now() - startedAt).toBeLessThan(1000)
  silent.close()
})
