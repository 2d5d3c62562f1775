import { createApiKeyEndpoint, listApiKeysEndpoint, revokeApiKeyEndpoint } from "../api/api-keys-endpoints.ts"
import type { ApiKeyScope } from "../vocabulary/api-keys.ts"
import { defineExample } from "./define-example.ts"

const apiKey = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  name: "Loja virtual",
  hint: "tk_test_…n9Qx",
  scopes: ["pages:read", "pages:write", "transactions:read"] satisfies ApiKeyScope[] as ApiKeyScope[],
  createdAt: "2026-11-21T12:00:00.000Z",
  expiresAt: "2099-01-01T00:00:00.000Z",
  lastUsedAt: null,
  lastUsedAddress: null,
}

export const apiKeysExamples = [
  defineExample(createApiKeyEndpoint, {
    body: {
      name: "Loja virtual",
      scopes: ["pages:read", "pages:write", "transactions:read"],
      expiresAt: "2099-01-01T00:00:00.000Z",
      passwordCurrent: "senha-da-ana",
    },
    reply: {
      status: "success",
      data: { key: "tk_test_EXEMPLO", apiKey },
    },
    failures: ["too_many_api_keys", "idempotency_key_reused", "too_many_requests", "api_key_frozen"],
  }),
  defineExample(listApiKeysEndpoint, {
    reply: {
      status: "success",
      data: {
        apiKeys: [{ ...apiKey, lastUsedAt: "2026-11-21T14:30:00.000Z", lastUsedAddress: "203.0.113.7" }],
      },
    },
    failures: [],
  }),
  defineExample(revokeApiKeyEndpoint, {
    params: { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    failures: ["api_key_not_found"],
  }),
]
