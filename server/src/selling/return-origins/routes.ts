import {
  changeReturnOriginsEndpoint,
  getReturnOriginsEndpoint,
  rotateReturnKeyEndpoint,
} from "@tilinta/contract/return-origins"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { SecretKeys } from "#kit/secrets"
import { actorOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { passwordProofOf } from "#people/users/routes"
import { changeReturnOrigins, readReturnOrigins, rotateSigningKey } from "./origins.ts"

export function returnOriginRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; secretKeys: SecretKeys }): void {
  serveEndpoint(app, getReturnOriginsEndpoint, async ({ request }) => readReturnOrigins(deps.db, sellerOf(request).id))

  serveEndpoint(app, changeReturnOriginsEndpoint, async ({ body, request }) => {
    const proof = passwordProofOf(request, body.passwordCurrent)
    return changeReturnOrigins(deps, { owner: actorOf(request), proof, origins: body.origins })
  })

  serveEndpoint(app, rotateReturnKeyEndpoint, async ({ body, request }) => {
    const proof = passwordProofOf(request, body.passwordCurrent)
    return rotateSigningKey(deps, { owner: actorOf(request), proof, idempotencyKey: idempotencyKeyOf(request) })
  })
}
