import { expect, test } from "vitest"
import { WebhookTaken } from "#psp/psp"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"
import { apiPixOptions } from "../../../test-support/api-pix-options.ts"
import { createApiPixPsp } from "./api-pix-psp.ts"

const secret = "a".repeat(32)
const ours = `https://loja.example/webhooks/bank/${secret}`

/** A bank whose key has this webhook, or answers the question about it with this status. */
async function bankWith(registered: string | number, replacesWebhook = false) {
  const calls: string[] = []
  const bank = await bankThat(({ method }, response) => {
    calls.push(String(method))
    if (method === "PUT") return reply(response, 200, {})
    if (typeof registered === "number") return reply(response, registered, {})
    return reply(response, 200, { webhookUrl: registered, chave: "our-key" })
  })
  const psp = createApiPixPsp(apiPixOptions({ baseUrl: bank.url, replacesWebhook }))
  return { calls, register: () => psp.registerWebhook(ours) }
}

test.each([
  ["another system's address", "https://erp.example/pix?token=segredo"],
  ["another installation's", `https://outra.example/webhooks/bank/${"b".repeat(32)}`],
  ["another provider's at our host", `https://loja.example/webhooks/outro/${"b".repeat(32)}`],
])("%s is never overwritten, however often we try; its host is named, its secrets are not", async (_name, address) => {
  const { calls, register } = await bankWith(address)
  for (let times = 0; times < 2; times += 1) {
    const refusal = await register().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(WebhookTaken)
    expect(refusal).toMatchObject({ host: new URL(address).host })
    expect(String(refusal)).not.toMatch(/segredo|token|bbbb/)
  }
  expect(calls).toEqual(["GET", "GET"])
})

test("it is replaced once the operator says so", async () => {
  const { calls, register } = await bankWith("https://erp.example/pix", true)
  await register()
  expect(calls).toEqual(["GET", "PUT"])
})

test.each([
  ["nothing", 404],
  ["our address", ours],
  ["our address with the bank's suffix", `${ours}/pix`],
  ["our secret at the host we had before", ours.replace("loja.example", "velha.example")],
  ["our address with the secret of an earlier database", `https://loja.example/webhooks/bank/${"b".repeat(32)}`],
  ["an empty address", ""],
  ["an answer that the bank refuses", 405],
  ["an answer without the permission to ask", 403],
])("where the bank has %s ours is registered", async (_name, registered) => {
  const { calls, register } = await bankWith(registered)
  await register()
  expect(calls).toEqual(["GET", "PUT"])
})

test("while the bank doesn't answer nothing is registered", async () => {
  const { calls, register } = await bankWith(500)
  await expect(register()).rejects.toMatchObject({ failure: "unknown" })
  expect(calls).toEqual(["GET"])
})
