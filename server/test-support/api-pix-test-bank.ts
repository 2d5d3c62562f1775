import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { createLog } from "#kit/log"
import { connectSimulator } from "#psp/connect-psp"
import type { TestBank } from "./test-bank.ts"

const credentials = { clientId: "test", clientSecret: "test" }

export async function openApiPixTestBank(): Promise<TestBank> {
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-bank-"))
  const simulator = await startSimulator({ port: 0, dataDir, ...credentials })
  const { url, receiverKey } = simulator
  const psp = connectSimulator({ url, receiverKey, ...credentials }, createLog("silent"))
  const send = async (method: string, path: string, body?: object) => {
    const init = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
    const answer = await fetch(`${url}/simulador/api${path}`, { method, ...init })
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  const control = async (switches: object) => void (await send("PUT", "/controle", switches))
  const allWell = { falhaApi: null, liquidacaoMs: 0, pagamentosRecusados: false, webhooksAtivos: false }
  await control(allWell)
  return {
    psp,
    pay: async (_txid, pixCopiaECola) => String((await send("POST", "/pagamentos", { pixCopiaECola }))["endToEndId"]),
    takeBack: async (endToEndId, cents) =>
      void (await send("POST", "/devolucoes", { endToEndId, valor: (cents / 100).toFixed(2) })),
    loseAnswers: () => control({ falhaApi: "timeout-apos-aceitar" }),
    loseRequests: () => control({ falhaApi: "timeout-antes" }),
    refuseMoneyOut: () => control({ pagamentosRecusados: true }),
    behaveWell: () => control(allWell),
    async countPayouts(payoutId) {
      const { envios } = (await send("GET", "/envios")) as { envios: { idEnvio: string }[] }
      return envios.filter(({ idEnvio }) => idEnvio === payoutId).length
    },
    webhookOf: (endToEndId) => ({
      body: Buffer.from(JSON.stringify({ pix: [{ endToEndId, valor: "1.00" }] })),
      headers: {},
      viaTrustedProxy: false,
    }),
    listWebhookUrls: async () => ["one webhook per key, by the standard"],
    async close() {
      await simulator.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
