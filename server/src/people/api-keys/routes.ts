import {
  type ApiKeyView,
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from "@tilinta/contract/api-keys"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { actorOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { passwordProofOf } from "#people/users/routes"
import { createApiKey, listApiKeys, revokeApiKey } from "./keys.ts"
import type { ApiKey } from "./rules.ts"

export function apiKeyRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, createApiKeyEndpoint, async ({ body, request }) => {
    const { key, apiKey } = await createApiKey(deps, {
      owner: actorOf(request),
      name: body.name,
      scopes: body.scopes,
      expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
      proof: passwordProofOf(request, body.passwordCurrent),
      idempotencyKey: idempotencyKeyOf(request),
    })
    return { key, apiKey: toApiKeyView(apiKey) }
  })

  serveEndpoint(app, listApiKeysEndpoint, async ({ request }) => {
    const apiKeys = await listApiKeys(deps.db, sellerOf(request).id)
    return { apiKeys: apiKeys.map(toApiKeyView) }
  })

  serveEndpoint(app, revokeApiKeyEndpoint, async ({ params, request }) => {
    await revokeApiKey(deps, { id: params.id, owner: actorOf(request) })
  })
}

function toApiKeyView({ id, name, hint, scopes, ...key }: ApiKey): ApiKeyView {
  return {
    _id: id,
    name,
    hint,
    scopes,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    // Erased once the use is long ago.
    lastUsedAddress: key.lastUsedAddress || null,
  }
}
