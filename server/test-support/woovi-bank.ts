import { generateKeyPairSync, sign } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { encodeDynamic } from "@tilinta/brcode/encode"
import { createLog } from "#kit/log"
import type { Psp, PspWebhook } from "#psp/psp"
import { createWooviPsp } from "#psp/woovi/woovi-psp"
import { openWooviBooks, type WooviBooks, WooviRefusal } from "./woovi-books.ts"

export interface WooviBank extends WooviBooks {
  psp: Psp
  url: string
  appId: string
  /** Method and path of every call. */
  calls: string[]
  /** Loses answers after carrying the call out, or before; null answers again. */
  loseAnswers(how: "after-accepting" | "before" | null): void
  /** From now on every call is answered with this, as by a proxy in front of Woovi. */
  standBefore(answer: { status: number; body: string } | null): void
  /** A webhook as Woovi sends it: signed over the raw body. */
  webhook(payload: object): PspWebhook
  close(): Promise<void>
}

type Handler = (books: WooviBooks, match: RegExpExecArray, url: URL, body: Record<string, unknown>) => object

const appId = "Q2xpZW50X0lkX3Rlc3Q="

const routes: [method: string, path: RegExp, handler: Handler][] = [
  ["POST", /^\/charge$/, (books, _match, url, body) => books.createCharge(body, url.searchParams)],
  ["GET", /^\/charge\/([^/]+)$/, (books, match) => books.showCharge(idOf(match))],
  ["DELETE", /^\/charge\/([^/]+)$/, (books, match) => books.deleteCharge(idOf(match))],
  ["GET", /^\/charge\/([^/]+)\/refund$/, (books, match) => books.listRefundsOfCharge(idOf(match))],
  ["GET", /^\/transaction$/, (books, _match, url) => books.listTransactions(url.searchParams)],
  ["GET", /^\/transaction\/([^/]+)$/, (books, match) => books.showTransaction(idOf(match))],
  ["POST", /^\/refund$/, (books, _match, _url, body) => books.createRefund(body)],
  ["GET", /^\/refund\/([^/]+)$/, (books, match) => books.showRefund(idOf(match))],
  ["POST", /^\/payment$/, (books, _match, _url, body) => books.createPayment(body)],
  ["POST", /^\/payment\/approve$/, (books, _match, _url, body) => books.approvePayment(body)],
  ["GET", /^\/payment$/, (books, _match, url) => books.listPayments(url.searchParams)],
  ["GET", /^\/payment\/([^/]+)$/, (books, match) => books.showPayment(idOf(match))],
  ["GET", /^\/webhook$/, (books, _match, url) => books.listWebhooks(url.searchParams)],
  ["POST", /^\/webhook$/, (books, _match, _url, body) => books.createWebhook(body)],
]

const woovisKeys = newKeyPair()

export function newKeyPair() {
  return generateKeyPairSync("rsa", { modulusLength: 2048 })
}

/** A minimal Woovi: implements the part of its API that we use over HTTP, with books of its own. */
export async function openWooviBank({ publicKey, privateKey } = woovisKeys): Promise<WooviBank> {
  let losing: "after-accepting" | "before" | null = null
  let standing: { status: number; body: string } | null = null
  const calls: string[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const url = new URL(request.url ?? "", "http://bank")
      const path = url.pathname.replace(/^\/api\/v1/, "")
      calls.push(`${request.method} ${path}`)
      if (standing !== null) return response.writeHead(standing.status).end(standing.body)
      if (losing === "before") return request.socket.destroy()
      const answer = answerTo(books, request, path, url, body)
      if (losing === "after-accepting") return request.socket.destroy()
      return reply(response, answer.status, answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const books = openWooviBooks((txid, amountCents) =>
    encodeDynamic({
      url: `qr.woovi.example/qr/v2/cob/${txid}`,
      merchantName: "LOJA",
      merchantCity: "SAO PAULO",
      amountCents,
    }),
  )
  const psp = createWooviPsp({
    name: "woovi",
    baseUrl: url,
    appId,
    timeoutMs: 20_000,
    pausesMs: [60_000],
    webhookKeys: [publicKey.export({ type: "spki", format: "pem" }) as string],
    log: createLog("silent"),
  })
  return {
    ...books,
    psp,
    url,
    appId,
    calls,
    loseAnswers: (how) => {
      losing = how
    },
    standBefore: (answer) => {
      standing = answer
    },
    webhook(payload) {
      const body = Buffer.from(JSON.stringify(payload))
      const signature = sign("sha256", body, privateKey).toString("base64")
      return { body, headers: { "x-webhook-signature": signature }, viaTrustedProxy: false }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerTo(books: WooviBooks, request: IncomingMessage, path: string, url: URL, body: string) {
  if (request.headers.authorization !== appId) return { status: 401, body: { error: "appID inválido" } }
  for (const [method, pattern, handler] of routes) {
    const match = method === request.method ? pattern.exec(path) : null
    if (match === null) continue
    try {
      const parsed = (body === "" ? {} : JSON.parse(body)) as Record<string, unknown>
      return { status: 200, body: handler(books, match, url, parsed) }
    } catch (error) {
      if (error instanceof WooviRefusal) return { status: 400, body: { error: error.message } }
      throw error
    }
  }
  return { status: 404, body: "<html>Not found</html>" }
}

function idOf(match: RegExpExecArray): string {
  return decodeURIComponent(match[1] ?? "")
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ""
  for await (const chunk of request) body += String(chunk)
  return body
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}
