import { expect, test } from "vitest"
import { startTestBank, startWebhookReceiver, type TestBank } from "../test-support/test-bank.ts"

const time = "inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z"

async function disputedPayment(bank: TestBank, valor?: string) {
  const { endToEndId } = (await bank.pay((await bank.createCharge()).pixCopiaECola)).body
  const opened = await bank.call("POST", "/simulador/api/infracoes", { endToEndId, ...(valor && { valor }) })
  return { endToEndId, opened, id: (opened.body as unknown as { idInfracao: string }).idInfracao }
}

const close = (bank: TestBank, id: string, status: string) =>
  bank.call("PUT", `/simulador/api/infracoes/${id}`, { status })

test("an accepted dispute returns the money, and webhooks report both", async () => {
  const bank = await startTestBank()
  await bank.call("PUT", "/simulador/api/controle", { liquidacaoMs: 0 })
  const receiver = await startWebhookReceiver()
  await bank.api("PUT", `/webhook/${bank.receiverKey}`, { webhookUrl: receiver.url })
  const { endToEndId, opened, id } = await disputedPayment(bank, "40.00")
  expect(opened).toMatchObject({ status: 201, body: { endToEndId, valor: "40.00", status: "ABERTA" } })
  await receiver.isReached(2)
  expect(receiver.received.at(-1)?.body).toMatchObject({ infracoes: [{ idInfracao: id, status: "ABERTA" }] })
  expect(await close(bank, id, "ACEITA")).toMatchObject({ status: 200, body: { status: "ACEITA" } })
  const { body } = await bank.api("GET", `/pix/${endToEndId}`)
  expect(body).toMatchObject({ devolucoes: [{ natureza: "MED_FRAUDE", valor: "40.00", status: "DEVOLVIDO" }] })
  await receiver.isReached(4)
  expect((await close(bank, id, "REJEITADA")).status).toBe(422)
  expect((await bank.api("GET", `/gn/infracoes?${time}`)).body).toMatchObject({
    parametros: { paginacao: { quantidadeTotalDeItens: 1 } },
    infracoes: [{ idInfracao: id, dadosAnalise: { finalizacao: expect.any(String) } }],
  })
})

test("one defence is taken while the dispute is open; more than was paid can't be contested", async () => {
  const bank = await startTestBank()
  const { endToEndId, id } = await disputedPayment(bank)
  const defend = () =>
    bank.api("POST", `/gn/infracoes/${id}/defesa`, { analise: "rejeitado", justificativa: "Entregue." })
  expect((await defend()).status).toBe(201)
  expect((await defend()).status).toBe(409)
  expect((await bank.call("GET", "/simulador/api/infracoes")).body).toMatchObject({
    infracoes: [{ status: "EM_DEFESA", defesa: "Entregue." }],
  })
  await close(bank, id, "REJEITADA")
  expect((await defend()).status).toBe(422)
  const tooMuch = await bank.call("POST", "/simulador/api/infracoes", { endToEndId, valor: "100.01" })
  expect(tooMuch.status).toBe(422)
})
