import { randomBytes } from "node:crypto"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Db } from "#db/transaction"
import { endPaymentMails, ownerOfMails } from "#domain/people/users/end-payment-mails"
import { unsubscribePath } from "#domain/platform/mails/send-mails"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { noncePolicy } from "#http/content-security-policy"
import type { Clock } from "#kit/clock"
import { limitCallers } from "./limit-callers.ts"
import { unsubscribePage } from "./unsubscribe-page.ts"

interface Deps {
  db: Db
  clock: Clock
}

type State = Parameters<typeof unsubscribePage>[0]["state"]

/**
 * The link of the mails about payments. Only a POST acts, so that a mail program that looks into links changes nothing;
 * it comes from the page's button, or from the mail program itself (RFC 8058), which sends no cookie and no origin.
 */
export function unsubscribeRoutes(scope: FastifyInstance, deps: Deps): void {
  limitCallers(scope, deps)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 4_096 }, (_request, _body, done) => done(null))

  scope.get<{ Params: { token: string } }>(unsubscribePath, async ({ params: { token } }, reply) => {
    const owner = await ownerOfMails(deps.db, token)
    return send(reply, owner === null ? "unknown" : owner.wants ? "asks" : "ended")
  })

  scope.post<{ Params: { token: string } }>(unsubscribePath, async ({ params: { token }, ip }, reply) => {
    const isKnown = await endPaymentMails(deps, { mailToken: token, address: ip })
    return send(reply, isKnown ? "ended" : "unknown")
  })

  async function send(reply: FastifyReply, state: State): Promise<FastifyReply> {
    const nonce = randomBytes(16).toString("base64")
    const html = unsubscribePage({ platformName: (await readPlatform(deps.db)).name, state, nonce })
    const headers = {
      "content-security-policy": noncePolicy(nonce),
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
    }
    return reply
      .code(state === "unknown" ? 404 : 200)
      .headers(headers)
      .type("text/html; charset=utf-8")
      .send(html)
  }
}
