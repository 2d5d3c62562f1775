import {
  changeReturnOriginsEndpoint,
  getReturnOriginsEndpoint,
  rotateReturnKeyEndpoint,
} from "@tilinta/contract/api/return-origins-endpoints"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { changeReturnOrigins, rotateSigningKey } from "#domain/selling/return-origins/change-return-origins"
import { readReturnOrigins } from "#domain/selling/return-origins/read-return-origins"
import { deviceOf } from "#http/device-cookie"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { SecretKeys } from "#kit/secret-box"
import { sellerOf } from "./session-of.ts"

export function returnOriginRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; secretKeys: SecretKeys }): void {
  serveEndpoint(app, getReturnOriginsEndpoint, async ({ request }) => readReturnOrigins(deps, sellerOf(request).id))

  serveEndpoint(app, changeReturnOriginsEndpoint, async ({ body, request }) =>
    changeReturnOrigins(deps, { ...proofOf(request, body), origins: body.origins }),
  )

  serveEndpoint(app, rotateReturnKeyEndpoint, async ({ body, request }) =>
    rotateSigningKey(deps, { ...proofOf(request, body), idempotencyKey: idempotencyKeyOf(request) }),
  )
}

function proofOf(request: FastifyRequest, { passwordCurrent = null }: { passwordCurrent?: string | null | undefined }) {
  return { userId: sellerOf(request).id, passwordCurrent, address: request.ip, device: deviceOf(request) }
}
