import {
  changeReturnOriginsEndpoint,
  getReturnOriginsEndpoint,
  rotateReturnKeyEndpoint,
} from "@tilinta/contract/api/return-origins-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { changeReturnOrigins, rotateSigningKey } from "#domain/selling/return-origins/change-return-origins"
import { readReturnOrigins } from "#domain/selling/return-origins/read-return-origins"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { SecretKeys } from "#kit/secret-box"
import { passwordProofOf } from "./password-proof.ts"
import { actorOf, sellerOf } from "./session-of.ts"

export function returnOriginRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; secretKeys: SecretKeys }): void {
  serveEndpoint(app, getReturnOriginsEndpoint, async ({ request }) => readReturnOrigins(deps, sellerOf(request).id))

  serveEndpoint(app, changeReturnOriginsEndpoint, async ({ body, request }) => {
    const proof = passwordProofOf(request, body.passwordCurrent)
    return changeReturnOrigins(deps, { owner: actorOf(request), proof, origins: body.origins })
  })

  serveEndpoint(app, rotateReturnKeyEndpoint, async ({ body, request }) => {
    const proof = passwordProofOf(request, body.passwordCurrent)
    return rotateSigningKey(deps, { owner: actorOf(request), proof, idempotencyKey: idempotencyKeyOf(request) })
  })
}
