import { queryOptions } from "@tanstack/react-query"
import type {
  CreateApiKeyBody,
  createApiKeyEndpoint,
  listApiKeysEndpoint,
} from "@tilinta/contract/api/api-keys-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call, type ReplyOf } from "#api/client.ts"

export type ApiKey = ReplyOf<typeof listApiKeysEndpoint>["data"]["apiKeys"][number]
export type CreatedApiKey = ReplyOf<typeof createApiKeyEndpoint>["data"]

export const apiKeysQuery = queryOptions({
  queryKey: ["seller", "api-keys"],
  queryFn: async ({ signal }) => (await call(heads.listApiKeys, { signal })).data.apiKeys,
})

export async function createApiKey(body: CreateApiKeyBody, idempotencyKey: string): Promise<CreatedApiKey> {
  return (await call(heads.createApiKey, { body, headers: { "Idempotency-Key": idempotencyKey } })).data
}

export function revokeApiKey(id: string) {
  return call(heads.revokeApiKey, { params: { id } })
}
