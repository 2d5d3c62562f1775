import { queryOptions } from "@tanstack/react-query"
import type {
  CreateApiKeyBody,
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from "@tilinta/contract/api/api-keys-endpoints"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const list = leanEndpoint<typeof listApiKeysEndpoint>("GET", "/api/v1/users/me/api-keys")
const create = leanEndpoint<typeof createApiKeyEndpoint>("POST", "/api/v1/users/me/api-keys")
const revoke = leanEndpoint<typeof revokeApiKeyEndpoint>("DELETE", "/api/v1/users/me/api-keys/:id")

export type ApiKey = ReplyOf<typeof listApiKeysEndpoint>["data"]["apiKeys"][number]
export type CreatedApiKey = ReplyOf<typeof createApiKeyEndpoint>["data"]

export const apiKeysQuery = queryOptions({
  queryKey: ["seller", "api-keys"],
  queryFn: async ({ signal }) => (await call(list, { signal })).data.apiKeys,
})

export async function createApiKey(body: CreateApiKeyBody, idempotencyKey: string): Promise<CreatedApiKey> {
  return (await call(create, { body, headers: { "Idempotency-Key": idempotencyKey } })).data
}

export function revokeApiKey(id: string) {
  return call(revoke, { params: { id } })
}
