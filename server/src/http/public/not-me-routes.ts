import { randomBytes } from "node:crypto"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Db } from "#db/transaction"
import { ownerOfNotMeLink } from "#domain/people/freezes/not-me-links"
import { notMePath } from "#domain/platform/mails/send-mails"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { noncePolicy } from "#http/content-security-policy"
import type { Clock } from "#kit/clock"
import { stopAccount } from "#money/withdrawals/account"
import { limitCallers } from "./limit-callers.ts"
import { notMePage } from "./not-me-page.ts"

interface Deps {
  db: Db
  clock: Clock
}

type State = Parameters<typeof notMePage>[0]["state"]

/** The link of the mails that report what a thief would do. Only the page's button acts: programs look into links. */
export function notMeRoutes(scope: FastifyInstance, deps: Deps): void {
  limitCallers(scope, deps)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 4_096 }, (_request, _body, done) => done(null))

  scope.get<{ Params: { token: string } }>(notMePath, async ({ params: { token } }, reply) => {
    return send(reply, (await ownerOfNotMeLink(deps, token)) === null ? "unknown" : "asks")
  })

  scope.post<{ Params: { token: string } }>(notMePath, async ({ params: { token }, ip }, reply) => {
    return send(reply, (await stopAccount(deps, { token, address: ip })) ?? "unknown")
  })

  async function send(reply: FastifyReply, state: State): Promise<FastifyReply> {
    const nonce = randomBytes(16).toString("base64")
    const { name: platformName, supportEmail } = await readPlatform(deps.db)
    const headers = {
      "content-security-policy": noncePolicy(nonce),
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
    }
    return reply
      .code(state === "unknown" ? 404 : 200)
      .headers(headers)
      .type("text/html; charset=utf-8")
      .send(notMePage({ platformName, supportEmail, nonce, state }))
  }
}
