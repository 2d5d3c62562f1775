import { setTimeout as wait } from "node:timers/promises"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { answerFaults, breakConnection } from "./answer-faults.ts"
import type { Bank } from "./bank.ts"
import { cobRoutes } from "./charge-routes.ts"
import { debitRoutes } from "./debit-routes.ts"
import { playDebits } from "./debits.ts"
import { disputeRoutes } from "./disputes.ts"
import { cobvRoutes } from "./due-charge-routes.ts"
import { occasionOfRequest } from "./occasions.ts"
import { pixRoutes } from "./payments.ts"
import { payoutRoutes } from "./payouts.ts"
import { Problem, sendProblem } from "./problem.ts"
import { recurrenceCallRoutes } from "./recurrence-call-routes.ts"
import { recurrenceLocationRoutes, recurrenceRoutes } from "./recurrence-routes.ts"
import { refundRoutes } from "./refunds.ts"
import { balanceRoutes } from "./token-routes.ts"
import { bearerOf, type Scope, type Tokens } from "./tokens.ts"
import { automaticWebhookRoutes, webhookRoutes } from "./webhooks.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    scope?: Scope
  }
}

type ApiRoutes = (app: FastifyInstance, bank: Bank) => void

type ApiOptions = {
  bank: Bank
  tokens: Tokens
  log: (line: string) => void
  stopping: AbortSignal
  routes: readonly ApiRoutes[]
}

/** All calls of the second version, the only one that the standard has. */
export const secondVersion: readonly ApiRoutes[] = [
  cobRoutes,
  cobvRoutes,
  recurrenceRoutes,
  recurrenceLocationRoutes,
  recurrenceCallRoutes,
  debitRoutes,
  automaticWebhookRoutes,
  pixRoutes,
  refundRoutes,
  payoutRoutes,
  balanceRoutes,
  disputeRoutes,
  webhookRoutes,
]
/** Efí sends Pix under `/v3` too. */
export const thirdVersion: readonly ApiRoutes[] = [payoutRoutes]

/** The API Pix, with everything that applies to each of its calls. */
export async function apiScope(app: FastifyInstance, { bank, tokens, log, stopping, routes }: ApiOptions) {
  // Efí's client calls an empty body a form.
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, _body, done) =>
    done(null, undefined),
  )
  app.setNotFoundHandler(() => {
    throw new Problem("NaoEncontrado", 404, "Entidade não encontrada.")
  })
  app.setErrorHandler((error, request, reply) => {
    const isStandard = bank.faultRules.strike("erro-proprietario", occasionOfRequest(bank, request)) === undefined
    return sendProblem(reply, asProblem(error, log), isStandard)
  })

  app.addHook("onRequest", async (request, reply) => {
    if (bank.faults.current().falhaApi === "timeout-antes") return breakConnection(request, reply)
    if (bank.faults.current().falhaApi === "indisponivel") throw unavailable()
    authorise(request, reply, tokens)
    await playDebits(bank)
  })
  answerFaults(app, { bank, tokens, stopping })
  app.addHook("onSend", async (request, reply) => {
    const { atrasoMs, falhaApi } = bank.faults.current()
    if (atrasoMs > 0) await wait(atrasoMs, undefined, { signal: stopping }).catch(() => undefined)
    if (falhaApi === "timeout-apos-aceitar") breakConnection(request, reply)
  })

  for (const open of routes) open(app, bank)
}

function authorise(request: FastifyRequest, reply: FastifyReply, tokens: Tokens): void {
  const token = bearerOf(request)
  const granted = token === undefined ? undefined : tokens.scopesOf(token)
  if (granted === undefined) {
    reply.header("www-authenticate", 'Bearer realm="simulador", error="invalid_token"')
    throw new Problem("AcessoNegado", 401, "Token de acesso ausente, desconhecido ou expirado.")
  }
  const needed = request.routeOptions.config.scope
  if (needed !== undefined && !granted.includes(needed)) {
    throw new Problem("AcessoNegado", 403, `O token de acesso não tem o escopo ${needed}.`)
  }
}

function unavailable(): Problem {
  return new Problem("ServicoIndisponivel", 503, "Serviço não está disponível no momento.")
}

function asProblem(error: unknown, log: (line: string) => void): Problem {
  if (error instanceof Problem) return error
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 400 && status < 500) return new Problem("RequisicaoInvalida", 400, "Requisição inválida.")
  log(`erro interno: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return new Problem("ErroInternoDoServidor", 500, "Condição inesperada ao processar requisição.")
}
