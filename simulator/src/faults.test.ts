import { expect, test } from "vitest"
import { chargeBody, newTxid, startTestBank, type TestBank } from "../test-support/test-bank.ts"

async function control(bank: TestBank, changes: unknown, headers?: Record<string, string>) {
  return bank.call("PUT", "/simulador/api/controle", changes, headers)
}

test("the switches start off, change one by one, and outlive a restart", async () => {
  const bank = await startTestBank()
  expect((await bank.call("GET", "/simulador/api/controle")).body).toEqual({
    webhooksAtivos: true,
    atrasoMs: 0,
    falhaApi: null,
    pagamentosRecusados: false,
    devolucoesRecusadas: false,
    liquidacaoMs: 300,
  })

  await control(bank, { atrasoMs: 5 })
  const changed = { webhooksAtivos: true, atrasoMs: 5, falhaApi: "indisponivel" }
  expect((await control(bank, { falhaApi: "indisponivel" })).body).toMatchObject(changed)
  await bank.stop()

  const again = await startTestBank({ dataDir: bank.dataDir })
  expect((await again.call("GET", "/simulador/api/controle")).body).toMatchObject(changed)
})

test.each([{ falhaApi: "fogo" }, { atrasoMs: -1 }, { outra: true }])(
  "the switch %j does not exist",
  async (changes) => {
    const bank = await startTestBank()
    expect((await control(bank, changes)).status).toBe(400)
  },
)

test("a caller that a proxy says is not of this machine has no control", async () => {
  const bank = await startTestBank()
  const proxied: Record<string, string>[] = [
    ...["x-forwarded-for", "x-real-ip", "cf-connecting-ip"].map((name) => ({ [name]: "203.0.113.7" })),
    { forwarded: "for=203.0.113.7" },
    { forwarded: 'for="[2001:db8::7]:4711"' },
    { via: "1.1 proxy" },
    { "x-forwarded-for": "127.0.0.1", "x-forwarded-host": "pix.exemplo.com.br" },
    { "x-forwarded-for": "unknown" },
  ]
  for (const headers of proxied) expect((await control(bank, { atrasoMs: 1 }, headers)).status).toBe(403)
  expect((await control(bank, { atrasoMs: 1 }, { "x-forwarded-for": "127.0.0.1" })).status).toBe(200)
})

test("out of service, the API answers 503 and the payer's side goes on", async () => {
  const bank = await startTestBank()
  const charge = await bank.createCharge()
  await control(bank, { falhaApi: "indisponivel" })

  expect(await bank.api("GET", `/cob/${charge.txid}`)).toMatchObject({
    status: 503,
    body: { type: "https://pix.bcb.gov.br/api/v2/error/ServicoIndisponivel" },
  })
  expect((await bank.pay(charge.pixCopiaECola)).status).toBe(201)
})

test.each([
  ["timeout-apos-aceitar", 200],
  ["timeout-antes", 404],
])("%s: no answer, and afterwards the charge reads %i", async (falhaApi, statusAfterwards) => {
  const bank = await startTestBank()
  const path = `/cob/${newTxid()}`
  await control(bank, { falhaApi })

  await expect(bank.api("PUT", path, chargeBody(bank.receiverKey))).rejects.toThrow("fetch failed")

  await control(bank, { falhaApi: null })
  expect((await bank.api("GET", path)).status).toBe(statusAfterwards)
})

test("a delayed API answers late, and a stop does not wait for it", async () => {
  const bank = await startTestBank()
  await control(bank, { atrasoMs: 120 })
  const startedAt = Date.now()
  await bank.api("GET", "/webhook")
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(115)

  await control(bank, { atrasoMs: 60_000 })
  const late = bank.api("GET", "/webhook").catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const stoppedAt = Date.now()
  await bank.stop()
  await late
  expect(Date.now() - stoppedAt).toBeLessThan(1000)
})
