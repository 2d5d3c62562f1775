import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { apiKeyScopes } from "../vocabulary/api-keys.ts"
import { MAX_PASSWORD_LENGTH } from "./auth-endpoints.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, requiredLine, success, text } from "./fields.ts"

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
  expiresAt: z.nullish(
    text(40).check(z.refine((value) => !Number.isNaN(Date.parse(value)), "Informe uma data e hora válidas.")),
  ),
  /** Needed in a session that was not confirmed by a step-up: one proof is enough. One that is sent must be right. */
  passwordCurrent: z.nullish(text(MAX_PASSWORD_LENGTH, "A senha é longa demais.")),
})
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>

export const createApiKeyEndpoint = defineEndpoint(heads.createApiKey, {
  operationId: "createApiKey",
  audience: "seller",
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary: "Cria uma chave de API; `key` só aparece nesta resposta, e é null quando o pedido é repetido",
  body: createApiKeyBody,
  reply: { status: 201, schema: success(z.object({ key: z.nullable(z.string()), apiKey: apiKeyView })) },
})

export const listApiKeysEndpoint = defineEndpoint(heads.listApiKeys, {
  operationId: "listApiKeys",
  audience: "seller",
  tag,
  summary: "As chaves de API que não foram revogadas, das mais novas às mais antigas",
  reply: { status: 200, schema: success(z.object({ apiKeys: z.array(apiKeyView) })) },
})

export const revokeApiKeyEndpoint = defineEndpoint(heads.revokeApiKey, {
  operationId: "revokeApiKey",
  audience: "seller",
  stepUp: "always",
  tag,
  summary: "Revoga uma chave de API: ela deixa de valer na hora",
  params: z.object({ id: text(200) }),
  reply: { status: 204 },
})
