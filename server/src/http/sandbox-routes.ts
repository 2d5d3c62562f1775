import { randomBytes } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { type MayControl, wayHeaders } from "@tilinta/simulator/open-to"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { type Connections, openConnections, sendHttp } from "#kit/http-client"
import { isId } from "#kit/ids"
import { findOutboxMail, listOutbox, listOutboxPage, type OutboxMail } from "#mail/outbox"
import { letterPage, outboxPage } from "./outbox-page.ts"
import { letterPolicy, noncePolicy } from "./security-headers.ts"

interface Deps {
  db: Db
  publicUrl: string
  mayControl: MayControl
}

/** The sandbox's mails contain links that open accounts, so only this machine may read them, and whom it names. */
export function outboxRoutes(scope: FastifyInstance, { db, publicUrl, mayControl }: Deps): void {
  scope.addHook("onRequest", guardOutbox(mayControl))
  scope.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store")
  })

  scope.get("/simulador/api/emails", async (request) => {
    const mails = await listOutbox(db, addressOf(request))
    return { emails: mails.map(toApiMail) }
  })

  scope.get("/simulador/emails", async (request, reply) => {
    const to = addressOf(request)
    const after = await knownMail(db, request)
    const nonce = randomBytes(16).toString("base64")
    const page = await listOutboxPage(db, to, after)
    const html = outboxPage({ ...page, isFirst: after === null, to, nonce, publicUrl })
    return reply
      .header("content-security-policy", noncePolicy(nonce, { framesOwn: true }))
      .type("text/html; charset=utf-8")
      .send(html)
  })

  scope.get<{ Params: { id: string } }>("/simulador/emails/:id", async ({ params: { id } }, reply) => {
    const letter = isId(id) ? await findOutboxMail(db, id) : undefined
    if (letter === undefined) throw new DomainError("not_found")
    const html = letterPage(letter.html)
    return reply
      .headers({ "content-security-policy": letterPolicy(html), "x-frame-options": "SAMEORIGIN" })
      .type("text/html; charset=utf-8")
      .send(html)
  })
}

function toApiMail({ to, subject, text, html, sentAt }: OutboxMail) {
  return { to, subject, text, html, sentAt: sentAt.toISOString() }
}

async function knownMail(db: Db, request: FastifyRequest): Promise<string | null> {
  const { after } = request.query as { after?: unknown }
  if (after === undefined) return null
  if (typeof after !== "string" || !isId(after) || (await findOutboxMail(db, after)) === undefined)
    throw new DomainError("malformed_request")
  return after
}

function addressOf(request: FastifyRequest): string | null {
  const { to } = request.query as { to?: unknown }
  if (to === undefined || to === "") return null
  if (typeof to !== "string" || to.includes("\0")) throw new DomainError("malformed_request")
  return to
}

function guardOutbox(mayControl: MayControl) {
  /** @throws forbidden */
  return async (request: FastifyRequest): Promise<void> => {
    if (mayControl(request)) return
    throw new DomainError("forbidden", { message: "Os e-mails do ambiente de teste só são mostrados nesta máquina." })
  }
}

const methods = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT", "OPTIONS"]
const timeoutMs = 30_000
/** The bank's own limit. It closes the connection at more, which would look like a bank that is away. */
const mostBytes = 64 * 1024

/** Hop-by-hop headers: each side has its own connection. */
const ofOneConnection = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
]

/** The sandbox's bank under our own address, so that people who try the product need to know only one. */
export function simulatorProxy(
  scope: FastifyInstance,
  { simulatorUrl, mayControl }: { simulatorUrl: string; mayControl: MayControl },
): void {
  const connections = openConnections({ connections: 64 })
  scope.addHook("onClose", () => connections.destroy())
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: mostBytes }, (_request, body, done) =>
    done(null, body),
  )
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = await passOn(connections, simulatorUrl, request, mayControl(request) ? "127.0.0.1" : "unknown")
    return reply
      .code(answer.statusCode ?? 502)
      .headers(without(ofOneConnection, answer.headers))
      .send(answer)
  }
  for (const url of ["/simulador", "/simulador/*"]) scope.route({ method: methods, url, handler })
}

async function passOn(
  connections: Connections,
  simulatorUrl: string,
  request: FastifyRequest,
  caller: string,
): Promise<IncomingMessage> {
  const { method, url, headers } = request
  const body = request.body as Buffer | undefined
  const { host: _ours, "content-length": _theirs, ...passed } = without([...ofOneConnection, ...wayHeaders], headers)
  try {
    return await sendHttp(connections, simulatorUrl, {
      method,
      path: url,
      // The bank's faults answer only this machine. Decided here, where the caller's own connection and host are known;
      // `unknown` is nobody's address.
      headers: {
        ...passed,
        "x-forwarded-for": caller,
        // Ours, because a GET's body is not read: its length alone would swallow the connection's next request.
        ...(body !== undefined && { "content-length": body.byteLength }),
      },
      body: body === undefined ? null : Readable.from(body),
      silentMs: timeoutMs,
    })
  } catch (cause) {
    throw new DomainError("service_unavailable", { cause, retryAfterSeconds: 2 })
  }
}

function without<Headers extends object>(names: readonly string[], headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))) as Headers
}
