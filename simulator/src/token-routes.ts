import formbody from "@fastify/formbody"
import type { FastifyInstance, FastifyReply } from "fastify"
import { z } from "zod"
import { answerFaults } from "./answer-faults.ts"
import type { Bank } from "./bank.ts"
import { valorFromCents } from "./books.ts"
import { Problem, sendProblem } from "./problem.ts"
import { equalInConstantTime, type Scope, scopes, type Tokens, tokenLifetimeSeconds } from "./tokens.ts"

type Credentials = { clientId: string; clientSecret: string }

const tokenRequest = z.object({ grant_type: z.string(), scope: z.string().optional() })

type TokenOptions = { bank: Bank; tokens: Tokens; credentials: Credentials; stopping: AbortSignal }

/** The token endpoint of RFC 6749, client credentials. */
export async function tokenRoutes(app: FastifyInstance, options: TokenOptions) {
  const { bank, tokens } = options
  await app.register(formbody)
  app.setErrorHandler((error, _request, reply) =>
    error instanceof Problem ? sendProblem(reply, error) : refuse(reply, 400, "invalid_request"),
  )
  answerFaults(app, options)

  app.post("/oauth/token", (request, reply) => {
    reply.header("cache-control", "no-store")
    if (!isClient(request.headers.authorization, options.credentials)) {
      return refuse(reply.header("www-authenticate", 'Basic realm="simulador"'), 401, "invalid_client")
    }
    const body = tokenRequest.safeParse(request.body)
    if (!body.success) return refuse(reply, 400, "invalid_request")
    if (body.data.grant_type !== "client_credentials") return refuse(reply, 400, "unsupported_grant_type")

    const granted = grantedScopes(body.data.scope)
    if (granted === undefined) return refuse(reply, 400, "invalid_scope")
    const lifetimeSeconds = bank.faultRules.strike("token-curto", { names: new Set() }) ?? tokenLifetimeSeconds
    return reply.send({
      access_token: tokens.issue(granted, lifetimeSeconds),
      token_type: "Bearer",
      expires_in: lifetimeSeconds,
      scope: granted.join(" "),
    })
  })
}

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error })
}

function isClient(authorization: string | undefined, { clientId, clientSecret }: Credentials): boolean {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? "")?.[1]
  if (encoded === undefined) return false
  const sent = Buffer.from(encoded, "base64").toString("utf8")
  return equalInConstantTime(sent, `${clientId}:${clientSecret}`)
}

/** Banks grant all scopes of the contract when none is requested, and refuse unknown ones. */
function grantedScopes(requested: string | undefined): Scope[] | undefined {
  const names = (requested ?? "").split(" ").filter((name) => name !== "")
  if (names.length === 0) return [...scopes]
  const granted = scopes.filter((scope) => names.includes(scope))
  return granted.length === new Set(names).size ? granted : undefined
}

/** The account's balance, as Efí tells it. The books begin with nothing, so payouts may leave it below zero. */
export function balanceRoutes(app: FastifyInstance, bank: Bank): void {
  const total = bank.books.db.prepare(`SELECT
    (SELECT coalesce(sum(amountCents), 0) FROM payments)
    - (SELECT coalesce(sum(amountCents), 0) FROM refunds WHERE refusal IS NULL)
    - (SELECT coalesce(sum(amountCents), 0) FROM payouts WHERE refusal IS NULL)
    + (SELECT coalesce(sum(returnedCents), 0) FROM payout_returns WHERE returnsAt <= ?)
    + (SELECT coalesce(sum(amountCents), 0) FROM account_entries) AS cents`)
  app.get("/gn/saldo", { config: { scope: "gn.balance.read" } }, async () => {
    const cents = Number(total.get(bank.clock.now())?.cents)
    return { saldo: `${cents < 0 ? "-" : ""}${valorFromCents(Math.abs(cents))}` }
  })
}
