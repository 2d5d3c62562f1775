import * as z from "zod/mini"
import { MAX_PASSWORD_LENGTH } from "./auth.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, requiredLine, secretText, sentMoment, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { type ApiKeyScope, apiKeyScopes } from "./vocabulary/api.ts"
import { ownerAlone } from "./vocabulary/team.ts"

const tag = "Chaves de API"

export const apiKeyView = z.object({
  _id: id,
  name: z.string(),
  /** The key's beginning and end, by which its owner recognises it. */
  hint: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  createdAt: isoDateTime,
  /** Null for a key that doesn't expire. */
  expiresAt: z.nullable(isoDateTime),
  /** Accurate to about a minute; null before the first use. */
  lastUsedAt: z.nullable(isoDateTime),
  /** The address of that use; null once that is long ago. */
  lastUsedAddress: z.nullable(z.string()),
})
export type ApiKeyView = z.infer<typeof apiKeyView>

const atLeastOne = "Escolha ao menos uma permissão."

const createApiKeyBody = z.object({
  name: requiredLine(80, "Dê um nome à chave."),
  scopes: z.prefault(z.array(z.enum(apiKeyScopes, "Permissão desconhecida.")).check(z.minLength(1, atLeastOne)), []),
  expiresAt: z.nullish(sentMoment()),
  /** Needed in a session that was not confirmed by a step-up: one proof is enough. One that is sent must be right. */
  passwordCurrent: z.nullish(secretText(MAX_PASSWORD_LENGTH, "A senha é longa demais.")),
})
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>

export const createApiKeyEndpoint = defineEndpoint("createApiKey", heads.createApiKey, {
  audience: "seller",
  roles: ownerAlone,
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary: "Cria uma chave de API; `key` só aparece nesta resposta, e é null quando o pedido é repetido",
  body: createApiKeyBody,
  reply: { status: 201, schema: success(z.object({ key: z.nullable(z.string()), apiKey: apiKeyView })) },
})

export const listApiKeysEndpoint = defineEndpoint("listApiKeys", heads.listApiKeys, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  tag,
  summary: "As chaves de API que não foram revogadas, das mais novas às mais antigas",
  reply: { status: 200, schema: success(z.object({ apiKeys: z.array(apiKeyView) })) },
})

export const revokeApiKeyEndpoint = defineEndpoint("revokeApiKey", heads.revokeApiKey, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  stepUp: "always",
  tag,
  summary: "Revoga uma chave de API: ela deixa de valer na hora",
  params: z.object({ id: text(200) }),
  reply: { status: 204 },
})

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
    data: { key: "tk_test_EXEMPLO", apiKey },
    failures: ["too_many_api_keys", "idempotency_key_reused", "too_many_requests", "api_key_frozen"],
  }),
  defineExample(listApiKeysEndpoint, {
    data: { apiKeys: [{ ...apiKey, lastUsedAt: "2026-11-21T14:30:00.000Z", lastUsedAddress: "203.0.113.7" }] },
    failures: [],
  }),
  defineExample(revokeApiKeyEndpoint, {
    params: { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    failures: ["api_key_not_found"],
  }),
]
