import * as z from "zod/mini"
import type { BoundedRequest } from "#psp/bounded-http"
import { PspError } from "#psp/psp"
import type { TokenShape } from "./profile.ts"

interface AccessToken {
  value: string
  /** Milliseconds of a monotonic clock, so that a changed wall clock can't stretch the token's life. */
  validUntilMs: number
}

/** Concurrent callers share one token request; the token is renewed a minute before it expires. */
export function createTokenSource(fetchToken: () => Promise<{ value: string; expiresInSeconds: number }>) {
  let token: AccessToken | null = null
  let pending: Promise<string> | null = null

  async function renew(): Promise<string> {
    const fresh = await fetchToken()
    const lifeMs = Math.max(fresh.expiresInSeconds - 60, 1) * 1000
    token = { value: fresh.value, validUntilMs: performance.now() + lifeMs }
    return fresh.value
  }

  return {
    async get(): Promise<string> {
      if (token !== null && performance.now() < token.validUntilMs) return token.value
      pending ??= renew().finally(() => {
        pending = null
      })
      return pending
    },
    /** After a 401 only the refused token is discarded, not a newer one. */
    discard(refused: string): void {
      if (token?.value === refused) token = null
    },
  }
}

interface Credentials {
  clientId: string
  /** Null where the certificate alone authenticates. */
  clientSecret: string | null
  scopes: readonly string[]
}

/** The token request in this bank's form. */
export function tokenRequest(
  url: string,
  { credentials, body, grantType, namesScopes }: TokenShape,
  { clientId, clientSecret, scopes }: Credentials,
): Omit<BoundedRequest, "timeoutMs"> {
  const grant = { grant_type: "client_credentials" }
  const fields: Record<string, string> = {
    ...(grantType === "body" && grant),
    ...(credentials === "body" && { client_id: clientId }),
    ...(credentials === "body" && clientSecret !== null && { client_secret: clientSecret }),
    ...(namesScopes && { scope: scopes.join(" ") }),
  }
  const basic = Buffer.from(`${clientId}:${clientSecret ?? ""}`).toString("base64")
  return {
    method: "POST",
    url: grantType === "query" ? `${url}?${new URLSearchParams(grant).toString()}` : url,
    headers: {
      "content-type": body === "json" ? "application/json" : "application/x-www-form-urlencoded",
      ...(credentials === "basic" && { authorization: `Basic ${basic}` }),
    },
    body: body === "json" ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
  }
}

/** Our requests by the letter of the standard, so that a bug of ours is found before it is sent. */
export const value = z.string().check(z.regex(/^\d{1,10}\.\d{2}$/))
export const key = z.string().check(z.minLength(1), z.maxLength(77))
const text = z.string().check(z.minLength(1), z.maxLength(140))

export const txidSchema = z.string().check(z.regex(/^[a-zA-Z0-9]{26,35}$/))

export const chargeRequest = z.strictObject({
  calendario: z.strictObject({ expiracao: z.int().check(z.positive(), z.maximum(2_147_483_647)) }),
  valor: z.strictObject({ original: value }),
  chave: key,
  solicitacaoPagador: z.optional(text),
})

export const removalRequest = z.strictObject({ status: z.literal("REMOVIDA_PELO_USUARIO_RECEBEDOR") })

export const refundRequest = z.strictObject({ valor: value, descricao: z.optional(text) })

export const payoutRequest = z.strictObject({
  valor: value,
  pagador: z.strictObject({ chave: key, infoPagador: z.optional(text) }),
  favorecido: z.strictObject({ chave: key, cpf: z.optional(z.string()), cnpj: z.optional(z.string()) }),
})

export const webhookRequest = z.strictObject({ webhookUrl: z.string().check(z.regex(/^https?:\/\/\S+$/)) })

export function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: z.input<Schema>,
): z.output<Schema> & object {
  const result = schema.safeParse(body)
  if (result.success) return result.data as z.output<Schema> & object
  const [issue] = result.error.issues
  throw new PspError("rejected", `what we would send breaks the standard: ${issue?.path.join(".")}`)
}

/** Truncated to fit, never within a character; undefined when nothing is left. */
export function shownText(words: string): string | undefined {
  const line = words.replace(/\p{Cc}+/gu, " ").trim()
  let shown = ""
  for (const sign of line) {
    if (shown.length + sign.length > 140) break
    shown += sign
  }
  return shown === "" ? undefined : shown
}
