import { randomBytes } from "node:crypto"
import type { MayControl } from "@tilinta/simulator/open-to"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { findLetter, listOutbox, listOutboxPage, type OutboxMail } from "#mail/list-outbox"
import { letterPolicy, noncePolicy } from "./content-security-policy.ts"
import { guardOutbox } from "./guard-outbox.ts"
import { letterPage, outboxPage } from "./outbox-page.ts"

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
    const letter = isId(id) ? await findLetter(db, id) : undefined
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
  if (typeof after !== "string" || !isId(after) || (await findLetter(db, after)) === undefined)
    throw new DomainError("malformed_request")
  return after
}

function addressOf(request: FastifyRequest): string | null {
  const { to } = request.query as { to?: unknown }
  if (to === undefined || to === "") return null
  if (typeof to !== "string" || to.includes("\0")) throw new DomainError("malformed_request")
  return to
}
