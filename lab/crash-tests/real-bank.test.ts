import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { pickFreePort } from "../../server/src/db/postmaster.ts"
import { eventually } from "./eventually.ts"
import { openWorkshop, untilAnnounced, type Workshop } from "./server-process.ts"

let workshop: Workshop
let bank: Server
const registered: string[] = []

beforeAll(async () => {
  workshop = await openWorkshop()
  bank = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on("end", () => {
      if (request.method === "PUT" && request.url?.startsWith("/v2/webhook/") === true) registered.push(body)
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify(request.url === "/token" ? { access_token: "t", expires_in: 300 } : { pix: [] }))
    })
  })
  await new Promise<void>((resolve) => bank.listen(0, "127.0.0.1", resolve))
})

afterAll(async () => {
  bank.closeAllConnections()
  bank.close()
  await workshop.close()
})

test("with a bank's variables the server registers there, has no simulator, and hears only what the proxy vouches for", async () => {
  const bankUrl = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`
  const port = await pickFreePort()
  const server = workshop.run("server/src/main.ts", {
    DATA_DIR: await workshop.newFolder(),
    PORT: String(port),
    LOG_LEVEL: "warn",
    PUBLIC_URL: "https://loja.example",
    SMTP_URL: "smtp://127.0.0.1:1",
    PIX_PROVIDER: "bb",
    PIX_ENVIRONMENT: "homologacao",
    PIX_CLIENT_ID: "id",
    PIX_CLIENT_SECRET: "segredo",
    PIX_APP_KEY: "app",
    PIX_KEY: "loja@ana.example",
    PIX_RECEIVER_NAME: "Loja da Ana",
    PIX_BASE_URL: `${bankUrl}/v2`,
    PIX_TOKEN_URL: `${bankUrl}/token`,
    PIX_WEBHOOK_CERT_HEADER: "x-client-verify:SUCCESS",
  })
  expect(await untilAnnounced(server, /^Tilinta pronta em (https:\S+)$/m)).toBe("https://loja.example")
  const [told = ""] = await eventually(
    async () => registered,
    (urls) => urls.length > 0,
  )
  const { webhookUrl } = JSON.parse(told) as { webhookUrl: string }
  expect(webhookUrl).toMatch(/^https:\/\/loja\.example\/webhooks\/bb-homologacao\/\w{32}$/)

  const site = `http://127.0.0.1:${port}`
  expect((await fetch(`${site}/simulador`)).status).toBe(404)
  const tell = async (headers: Record<string, string>) => {
    const address = webhookUrl.replace("https://loja.example", site)
    const answer = await fetch(`${address}/pix`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: '{"pix":[]}',
    })
    return answer.status
  }
  expect(await tell({})).toBe(401)
  expect(await tell({ "x-client-verify": "NONE" })).toBe(401)
  expect(await tell({ "x-client-verify": "SUCCESS" })).toBe(200)
})
