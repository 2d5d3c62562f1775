import { randomUUID } from "node:crypto"
import type { Logger } from "pino"
import { openBankConnections } from "#psp/bank-connections"
import { type Answer, sendBounded } from "#psp/bounded-http"
import { createCircuit } from "#psp/circuit"
import type { ClientCertificate } from "#psp/client-certificate"
import { PspError } from "#psp/psp"
import { describeRefusal } from "#psp/read-refusal"
import { createThrottle } from "#psp/retry-after"
import { createTokenSource } from "./access-token.ts"
import { tokenSchema } from "./api-pix-schemas.ts"
import type { ApiPixProfile, FilledIn } from "./profile.ts"
import { tokenRequest } from "./token-request.ts"

export interface ApiPixConnection {
  profile: Pick<ApiPixProfile, "token" | "scopes" | "headers" | "query">
  /** The API's base address, such as https://bank/v2, without a trailing slash. */
  baseUrl: string
  tokenUrl: string
  /** A token from the bank's portal, used instead of requesting one. */
  givenToken: string | null
  clientId: string
  clientSecret: string | null
  appKey: string | null
  certificate: ClientCertificate | null
  authorities: readonly string[]
  timeoutMs: number
  /** Pauses of the circuit breaker after consecutive failures. */
  pausesMs: readonly number[]
  log: Logger
}

export type ApiPixClient = ReturnType<typeof createApiPixClient>

/** All calls share one access token, replaced after a 401; a circuit breaker pauses calls to a failing bank. */
export function createApiPixClient(connection: ApiPixConnection) {
  const { profile, baseUrl, timeoutMs } = connection
  const connections = openBankConnections(connection)
  const tokens = createTokenSource(() =>
    askForToken(connection, (asked) => sendBounded({ ...asked, timeoutMs, connections })),
  )
  const fillHeaders = filler(profile.headers, connection)
  const fillQuery = filler(profile.query, connection)
  const throttle = createThrottle()
  const circuit = createCircuit(connection.log, connection.pausesMs)

  /** `path` may contain `..`, because banks keep some calls under another version. */
  async function request(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    async function attempt(): Promise<Answer> {
      const token = await tokens.get()
      const answer = await send(token)
      if (answer.status !== 401) return answer
      tokens.discard(token)
      return send(await tokens.get())
    }
    function send(token: string): Promise<Answer> {
      return sendBounded({
        url: withQuery(baseUrl + path, fillQuery(token)),
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...fillHeaders(token),
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
        connections,
      })
    }
    return throttle(`${method} ${resourceOf(path)}`, () => circuit(attempt))
  }

  return { request }
}

async function askForToken(
  connection: ApiPixConnection,
  send: (asked: ReturnType<typeof tokenRequest>) => Promise<Answer>,
): Promise<{ value: string; expiresInSeconds: number }> {
  const { profile, tokenUrl, givenToken } = connection
  if (givenToken !== null) return { value: givenToken, expiresInSeconds: 3600 }
  const asked = tokenRequest(tokenUrl, profile.token, { ...connection, scopes: profile.scopes })
  const answer = await send(asked).catch((error: unknown) => {
    // Without a token no call reached the API itself.
    throw new PspError("unavailable", "no access token", { cause: error })
  })
  const parsed = tokenSchema.safeParse(answer.body)
  const isGiven = answer.status === 200 || answer.status === 201
  if (isGiven && parsed.success) {
    return { value: parsed.data.access_token, expiresInSeconds: parsed.data.expires_in }
  }
  throw new PspError("unavailable", `token refused with status ${answer.status} (${describeRefusal(answer)})`)
}

/** Most banks need none of these headers, so nothing is created for them. */
function filler(
  wanted: Readonly<Record<string, FilledIn>>,
  { clientId, appKey }: Pick<ApiPixConnection, "clientId" | "appKey">,
): (token: string) => Record<string, string> {
  const entries = Object.entries(wanted)
  if (entries.length === 0) return () => nothing
  const make: Record<FilledIn, (token: string) => string> = {
    "client-id": () => clientId,
    "app-key": () => appKey ?? "",
    uuid: () => randomUUID(),
    "access-token": (token) => token,
  }
  return (token) => Object.fromEntries(entries.map(([name, what]) => [name, make[what](token)]))
}

const nothing = Object.freeze({})

function withQuery(url: string, query: Record<string, string>): string {
  if (query === nothing) return url
  return `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams(query).toString()}`
}

/** "cob" of "/cob/{txid}": the unit of the bank's rate limits. */
function resourceOf(path: string): string {
  return path.replace("/../", "/").split(/[/?]/)[1] ?? ""
}
