import { randomBytes } from "node:crypto"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { listOutbox } from "#mail/list-outbox"
import { noncePolicy } from "./content-security-policy.ts"
import { onlyThisMachine } from "./only-this-machine.ts"
import { outboxPage } from "./outbox-page.ts"

/** The sandbox's mails contain links that open accounts, so only this machine may read them. */
export function outboxRoutes(scope: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void {
  scope.addHook("onRequest", onlyThisMachine)
  scope.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store")
  })

  scope.get("/simulador/api/emails", async (request) => {
    const mails = await listOutbox(db, addressOf(request))
    return { emails: mails.map((mail) => ({ ...mail, sentAt: mail.sentAt.toISOString() })) }
  })

  scope.get("/simulador/emails", async (request, reply) => {
    const to = addressOf(request)
    const nonce = randomBytes(16).toString("base64")
    const html = outboxPage({ mails: await listOutbox(db, to), to, nonce, publicUrl })
    return reply.header("content-security-policy", noncePolicy(nonce)).type("text/html; charset=utf-8").send(html)
  })
}

function addressOf(request: FastifyRequest): string | null {
  const { to } = request.query as { to?: unknown }
  if (to === undefined || to === "") return null
  if (typeof to !== "string" || to.includes("\0")) throw new DomainError("malformed_request")
  return to
}
