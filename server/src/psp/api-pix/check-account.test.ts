import { expect, test } from "vitest"
import { clientId, clientSecret, startTestBank } from "../../../../simulator/test-support/test-bank.ts"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"
import { apiPixOptions } from "../../../test-support/api-pix-options.ts"
import { checkAccount } from "./check-account.ts"
import { standard } from "./profile.ts"
import { simulatorProfile } from "./profiles.ts"

const checks = { webhookPrefix: "https://loja.example/webhooks/bank/", createsCharge: false, createsRecurrence: false }

async function linesOf(url: string): Promise<string[]> {
  const lines: string[] = []
  const options = apiPixOptions({
    baseUrl: url,
    timeoutMs: 5_000,
    debitAccount: null,
    profile: { ...simulatorProfile, automatic: false },
  })
  for await (const { works, what, found, advice } of checkAccount(options, checks)) {
    lines.push(`${works ? "✓" : "✗"} ${what}: ${found}${advice === undefined ? "" : ` ${advice}`}`)
  }
  return lines
}

test("each call that doesn't work is a line that says what the bank answered and what to do", async () => {
  const { url } = await bankThat(
    ({ url: path }, response) => {
      if (path?.startsWith("/webhook/") === true)
        reply(response, 200, { webhookUrl: "https://outra.example/hook/segredo" })
      else if (path?.startsWith("/pix") === true) reply(response, 403, { detail: "Sem contrato." })
      else reply(response, 200, { cobs: [] })
    },
    { grantedScopes: standard.scopes.charges.slice(1).join(" ") },
  )
  const lines = await linesOf(url)
  expect(lines[0]).toBe("✓ Certificado: nenhum, e aqui nenhum é preciso.")
  expect(lines.filter((line) => line.startsWith("✗"))).toEqual([
    "✗ Escopos: faltam cob.read, cobv.read, cobv.write. Peça-os na aplicação, no portal do banco.",
    expect.stringMatching(/^✗ Pix recebidos .*: o banco respondeu 403 \(Sem contrato\.\)\. Confira os escopos/),
    expect.stringMatching(/^✗ Cobrança que não existe: o banco respondeu 200/),
    expect.stringMatching(/^✗ Webhook: registrado em outro endereço, em outra\.example\. /),
  ])
  expect(lines.join()).not.toContain("segredo")
})

test("without a token nothing else is tried", async () => {
  const { url, calls } = await bankThat((_request, response) => reply(response, 200, {}), { tokenStatus: 401 })
  const lines = await linesOf(url)
  expect(lines.at(-1)).toMatch(/^✗ Token: o banco respondeu 401 \(invalid_client\)\. Confira PIX_CLIENT_ID/)
  expect(calls).toEqual(["GET /"])
})

test("an unreachable bank is reported as such", async () => {
  const bank = await bankThat(() => undefined)
  bank.close()
  expect((await linesOf(bank.url))[1]).toMatch(
    /^✗ Conexão com 127\.0\.0\.1:\d+: sem resposta \(ECONNREFUSED\)\. Confira a rede/,
  )
})

test("a bank with charges by a due day and with recurrences makes one of each and removes it", async () => {
  const bank = await startTestBank()
  const receiver = { key: bank.receiverKey, name: "Loja da Ana", city: "Recife" }
  const options = apiPixOptions({
    baseUrl: `${bank.url}/v2`,
    tokenUrl: `${bank.url}/oauth/token`,
    clientId,
    clientSecret,
    receiver,
  })
  const lines: string[] = []
  for await (const { works, what } of checkAccount(options, {
    ...checks,
    createsCharge: true,
    createsRecurrence: true,
  })) {
    lines.push(`${works ? "✓" : "✗"} ${what}`)
  }
  expect(lines).toEqual(
    expect.arrayContaining([
      "✓ Cobranças com vencimento (GET /cobv)",
      "✓ Cobrança com vencimento",
      "✓ Recorrências (GET /rec)",
      "✓ Débitos do Pix Automático (GET /cobr)",
      "✓ Webhook dos débitos",
      "✓ Recorrência de R$ 1,00",
    ]),
  )
})
