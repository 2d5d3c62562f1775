import { centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import {
  deleteWithdrawalRuleEndpoint,
  getWithdrawalRuleEndpoint,
  putWithdrawalRuleEndpoint,
  type WithdrawalRuleView,
} from "@tilinta/contract/withdrawal-rules"
import type { FastifyInstance } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { proofOf } from "#people/second-factors/guard"
import { actorOf, sellerOf } from "#people/sessions/caller"
import type { HttpDeps } from "#start/deps"
import { removeRule, setRule } from "./manage.ts"
import { findRule } from "./reads.ts"
import type { WithdrawalRule } from "./rules.ts"

export function withdrawalRuleRoutes(app: FastifyInstance, deps: Pick<HttpDeps, "db" | "clock" | "protection">): void {
  serveEndpoint(app, getWithdrawalRuleEndpoint, async ({ request }) => {
    const rule = await findRule(deps.db, sellerOf(request).id)
    return { rule: rule && toRuleView(rule) }
  })

  serveEndpoint(app, putWithdrawalRuleEndpoint, async ({ body, request }) => {
    const { every, destinationId } = body
    const input = { every, destinationId, aboveCents: centsFromReais(body.above), isPaused: body.paused === true }
    const rule = await setRule(deps, { ...input, seller: actorOf(request), proof: proofOf(request, deps) })
    return { rule: toRuleView(rule) }
  })

  serveEndpoint(app, deleteWithdrawalRuleEndpoint, async ({ request }) => {
    await removeRule(deps, actorOf(request))
  })
}

function toRuleView(rule: WithdrawalRule): WithdrawalRuleView {
  const { every, aboveCents, destinationId, nextAt, pausedBecause, failure } = rule
  const when = { nextAt: nextAt.toISOString(), pausedBecause, failure }
  return { every, above: reaisFromCents(aboveCents), destinationId, ...when }
}
