import type { BoundedRequest } from "#psp/bounded-http"
import type { TokenShape } from "./profile.ts"

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
