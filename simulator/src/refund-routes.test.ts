import { expect, test } from "vitest"
import { startTestBank, startWebhookReceiver, type TestBank } from "../test-support/test-bank.ts"

async function openBank(switches: Record<string, unknown> = {}): Promise<TestBank> {
  const bank = await startTestBank()
  await bank.call("PUT", "/simulador/api/controle", { liquidacaoMs: 0, ...switches })
  return bank
}

async function paid(bank: TestBank): Promise<string> {
  return (await bank.pay((await bank.createCharge()).pixCopiaECola)).body.endToEndId
}

const refund = (bank: TestBank, endToEndId: string, id: string, valor = "10.00") =>
  bank.api("PUT", `/pix/${endToEndId}/devolucao/${id}`, { valor })

test("a refund is under way first, then done, and stands in the Pix", async () => {
  const bank = await openBank({ liquidacaoMs: 300 })
  const endToEndId = await paid(bank)
  const asked = await refund(bank, endToEndId, "a1")
  expect(asked).toMatchObject({ status: 201, body: { id: "a1", valor: "10.00", status: "EM_PROCESSAMENTO" } })
  await expect
    .poll(async () => (await bank.api("GET", `/pix/${endToEndId}/devolucao/a1`)).body.status)
    .toBe("DEVOLVIDO")
  const { body } = await bank.api("GET", `/pix/${endToEndId}`)
  expect(body).toMatchObject({ devolucoes: [{ id: "a1", natureza: "ORIGINAL", status: "DEVOLVIDO" }] })
})

test("the same id refunds once, also for twenty at once; with another amount it is refused", async () => {
  const bank = await openBank()
  const endToEndId = await paid(bank)
  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(bank, endToEndId, "a1")))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
  expect((await refund(bank, endToEndId, "a1", "11.00")).status).toBe(400)
  expect((await bank.call("GET", "/simulador/api/devolucoes")).body).toMatchObject({ devolucoes: [{ id: "a1" }] })
})

test("of many at once no more goes back than was paid", async () => {
  const bank = await openBank()
  const endToEndId = await paid(bank)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => refund(bank, endToEndId, `r${index}`, "30.00")),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.find(({ status }) => status === 400)).toMatchObject({
    body: { type: "https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida" },
  })
})

test("a refused refund says why and leaves the amount free", async () => {
  const bank = await openBank({ devolucoesRecusadas: true })
  const endToEndId = await paid(bank)
  await refund(bank, endToEndId, "a1", "100.00")
  const found = await bank.api("GET", `/pix/${endToEndId}/devolucao/a1`)
  expect(found.body).toMatchObject({ status: "NAO_REALIZADO", motivo: expect.stringContaining("recusada") })
  await bank.call("PUT", "/simulador/api/controle", { devolucoesRecusadas: false })
  expect((await refund(bank, endToEndId, "a2", "100.00")).status).toBe(201)
})

test("the bank itself may take money back, and sends a webhook", async () => {
  const bank = await openBank()
  const receiver = await startWebhookReceiver()
  await bank.api("PUT", `/webhook/${bank.receiverKey}`, { webhookUrl: receiver.url })
  const endToEndId = await paid(bank)
  const taken = await bank.call("POST", "/simulador/api/devolucoes", { endToEndId, valor: "40.00" })
  expect(taken.status).toBe(201)
  await receiver.isReached(2)
  expect(receiver.received[1]?.body.pix[0]).toMatchObject({
    endToEndId,
    devolucoes: [{ natureza: "MED_FRAUDE", valor: "40.00", status: "DEVOLVIDO" }],
  })
  const tooMuch = await bank.call("POST", "/simulador/api/devolucoes", { endToEndId, valor: "60.01" })
  expect(tooMuch.status).toBe(422)
})

test("a Pix without a charge is received all the same", async () => {
  const bank = await openBank()
  const { txid } = await bank.createCharge()
  const stray = await bank.call("POST", "/simulador/api/recebimentos", { valor: "7.00", txid })
  expect(stray).toMatchObject({ status: 201, body: { txid, valor: "7.00" } })
  expect((await bank.api("GET", `/pix/${stray.body.endToEndId}`)).status).toBe(200)
  expect((await bank.api("GET", `/cob/${txid}`)).body.status).toBe("ATIVA")
})

test("the list shows which Pix have refunds", async () => {
  const bank = await openBank()
  const [refunded, whole] = [await paid(bank), await paid(bank)]
  await refund(bank, refunded, "a1")
  const time = "inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z"
  const listed = async (flag: boolean) =>
    (await bank.api("GET", `/pix?${time}&devolucaoPresente=${flag}`)).body.pix.map(({ endToEndId }) => endToEndId)
  expect(await listed(true)).toEqual([refunded])
  expect(await listed(false)).toEqual([whole])
})

test.each([{ valor: "0.00" }, { valor: 10 }, { valor: "10" }, {}])("%j is refused", async (body) => {
  const bank = await openBank()
  const answer = await bank.api("PUT", `/pix/${await paid(bank)}/devolucao/a1`, body)
  expect(answer).toMatchObject({ status: 400, body: { violacoes: [{ propriedade: "devolucao.valor" }] } })
})

test("what was never paid or never asked for is not found", async () => {
  const bank = await openBank()
  expect((await refund(bank, `E99999999202601010000${"x".repeat(11)}`, "a1")).status).toBe(404)
  expect((await bank.api("GET", `/pix/${await paid(bank)}/devolucao/a1`)).status).toBe(404)
})
