import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { type RunningSimulator, type SimulatorOptions, startSimulator } from "../src/start-simulator.ts"

export const clientId = "tilinta"
export const clientSecret = "tilinta-sandbox"

type Cob = { txid: string; status: string; valor: { original: string }; pix: Pix[] }
type Pix = { endToEndId: string; horario: string; devolucoes?: unknown[] }

/** A union of all answers of the bank: each test knows what it asked for. */
export type AnswerBody = Cob &
  Pix & {
    calendario: { criacao: string }
    location: string
    pixCopiaECola: string
    parametros: { paginacao: unknown }
    cobs: Cob[]
    webhooks: unknown[]
    violacoes: unknown[]
    message: string
    envios: { idEnvio: string }[]
    gnExtras: { erro: { motivo: string } }
    access_token: string
    falhas: unknown[]
    tipos: unknown[]
    recebimentos: Pix[]
    avisos: { id: number; corpo: string }[]
  }

export type Answer = { status: number; headers: Headers; text: string; body: AnswerBody }

export type TestBank = RunningSimulator & {
  dataDir: string
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    redirect?: "manual",
  ): Promise<Answer>
  /** Calls the API as a client with a token of all scopes. */
  api(method: string, path: string, body?: unknown): Promise<Answer>
  authorization: string
  createCharge(changes?: Record<string, unknown>): Promise<AnswerBody>
  pay(pixCopiaECola: string): Promise<Answer>
}

export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "simulator-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export async function startTestBank(options: Partial<SimulatorOptions> = {}): Promise<TestBank> {
  const dataDir = options.dataDir ?? temporaryDir()
  const simulator = await startSimulator({ port: 0, clientId, clientSecret, ...options, dataDir })
  onTestFinished(() => simulator.stop())
  const token = await issueToken(simulator.url)
  const call: TestBank["call"] = (method, path, body, headers, redirect) =>
    send(simulator.url + path, method, body, headers, redirect)
  const api: TestBank["api"] = (method, path, body) => call(method, `/v2${path}`, body, { authorization: token })

  return {
    ...simulator,
    dataDir,
    call,
    api,
    authorization: token,
    async createCharge(changes = {}) {
      const charge = chargeBody(simulator.receiverKey, changes)
      return (await api("PUT", `/cob/${newTxid()}`, charge)).body
    },
    pay: (pixCopiaECola) => call("POST", "/simulador/api/pagamentos", { pixCopiaECola }),
  }
}

export function chargeBody(chave: string, changes: Record<string, unknown> = {}) {
  return { calendario: { expiracao: 3600 }, valor: { original: "100.00" }, chave, ...changes }
}

export function newTxid(): string {
  return crypto.randomUUID().replaceAll("-", "")
}

export const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`

async function issueToken(url: string): Promise<string> {
  const answer = await send(
    `${url}/oauth/token`,
    "POST",
    { grant_type: "client_credentials" },
    { authorization: basic },
  )
  return `Bearer ${answer.body.access_token}`
}

async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
  redirect: "manual" | "follow" = "follow",
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json") ?? false
  const parsed = (isJson ? JSON.parse(text) : {}) as AnswerBody
  return { status: response.status, headers: response.headers, text, body: parsed }
}

type WebhookReceiver = {
  url: string
  received: { path: string; body: { pix: Pix[] } & Pix[]; at: number }[]
  /** The endToEndIds of received notices, in order of arrival. */
  toldIds(): string[]
  answerWith(status: number): void
  isReached(times: number): Promise<void>
}

/** Stands in for the seller's server and records the notices. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: WebhookReceiver["received"] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ path: request.url ?? "", body: JSON.parse(Buffer.concat(chunks).toString()), at: Date.now() })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/segredo`,
    received,
    toldIds: () => received.flatMap(({ body }) => (body.pix ?? body).map(({ endToEndId }) => endToEndId)),
    answerWith(next) {
      status = next
    },
    isReached: (times) => until(() => received.length >= times),
  }
}

export async function until(condition: () => boolean, timeoutMs = 5000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("what was waited for did not happen")
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
