import { expect, test } from "vitest"
import { startTestBank } from "../test-support/test-bank.ts"

test("a webhook is registered, shown, listed, replaced and cancelled", async () => {
  const bank = await startTestBank()
  const path = `/webhook/${bank.receiverKey}`

  expect((await bank.api("GET", path)).status).toBe(404)
  expect((await bank.api("PUT", path, { webhookUrl: "http://127.0.0.1:1/velho" })).status).toBe(200)
  expect((await bank.api("PUT", path, { webhookUrl: "http://127.0.0.1:1/novo" })).status).toBe(200)
  const webhook = { webhookUrl: "http://127.0.0.1:1/novo", chave: bank.receiverKey, criacao: expect.any(String) }
  expect((await bank.api("GET", path)).body).toEqual(webhook)
  expect((await bank.api("GET", "/webhook")).body).toMatchObject({
    parametros: { paginacao: { quantidadeTotalDeItens: 1 } },
    webhooks: [webhook],
  })
  expect((await bank.api("DELETE", path)).status).toBe(204)
  expect((await bank.api("DELETE", path)).status).toBe(404)
  expect((await bank.api("GET", "/webhook")).body.webhooks).toEqual([])
})

test("a webhook for another key, or without an address, is refused", async () => {
  const bank = await startTestBank()
  const refused = { status: 400, body: { type: "https://pix.bcb.gov.br/api/v2/error/WebhookOperacaoInvalida" } }

  expect(await bank.api("PUT", "/webhook/outra", { webhookUrl: "http://127.0.0.1:1" })).toMatchObject(refused)
  for (const webhookUrl of [undefined, "", "endereço", "ftp://127.0.0.1"]) {
    expect(await bank.api("PUT", `/webhook/${bank.receiverKey}`, { webhookUrl })).toMatchObject(refused)
  }
})
