import { randomUUID } from "node:crypto"
import type { Logger } from "pino"
import {
  type Answer,
  createCircuits,
  createThrottle,
  describeRefusal,
  openBankConnections,
  sendBounded,
} from "#psp/bounded-http"
import type { ClientCertificate } from "#psp/client-certificate"
import { PspError } from "#psp/psp"
import { createBankTime } from "#psp/watched-psp"
import { tokenSchema } from "./api-pix-schemas.ts"
import { createBankStamps } from "./bank-stamps.ts"
import { type ApiPixProfile, type FilledIn, missingScopes, scopesOf } from "./profile.ts"
import { createTokenSource, tokenRequest } from "./token.ts"

export interface ApiPixConnection {
  profile: Omit<ApiPixProfile, "environments">
  /** The API's base address, such as https://bank/v2, without a trailing slash. */
  baseUrl: string
  tokenUrl: string
  /** A token from the bank's portal, used instead of requesting one. */
  givenToken: string | null
  clientId: string
  clientSecret: string | null
  appKey: string | null
  /** The current account, where the application has several. */
  account: string | null
  certificate: ClientCertificate | null
  authorities: readonly string[]
  timeoutMs: number
  /** Pauses of the circuit breaker after consecutive failures. */
  pausesMs: readonly number[]
  log: Logger
}

export type ApiPixClient = ReturnType<typeof createApiPixClient>

/**
 * All calls share one access token, replaced after a 401. A circuit breaker per kind of call pauses those that keep
 * failing, so that a list that fails refuses no payer a Pix.
 */
export function createApiPixClient(connection: ApiPixConnection) {
  const { profile, baseUrl, timeoutMs } = connection
  const connections = openBankConnections(connection)
  const tokens = createTokenSource(() =>
    askForToken(connection, (request) => sendBounded({ ...request, timeoutMs, connections })),
  )
  const fillHeaders = filler(profile.headers, connection)
  const fillQuery = filler(profile.query, connection)
  const throttle = createThrottle()
  const circuits = createCircuits(connection.log, connection.pausesMs)
  const bankTime = createBankTime()

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
    async function send(token: string): Promise<Answer> {
      const answer = await sendBounded({
        url: withQuery(baseUrl + (profile.versions[resourceOf(path)] ?? "") + path, fillQuery()),
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...fillHeaders(),
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
        connections,
      })
      bankTime.hear(answer.date)
      return answer
    }
    const kind = kindOf(method, path)
    return throttle(kind, () => circuits(kind, attempt))
  }

  /** Lengths of a page that the bank accepted after it had refused a longer one, by path. */
  const pageSizes = new Map<string, number>()
  const timeAt = (monotonicMs = performance.now()) => bankTime.at(monotonicMs)
  return { request, pageSizes, bankTime: timeAt, stamps: createBankStamps(timeAt, connection.log) }
}

async function askForToken(
  connection: ApiPixConnection,
  send: (request: ReturnType<typeof tokenRequest>) => Promise<Answer>,
): Promise<{ value: string; expiresInSeconds: number }> {
  const { profile, tokenUrl, givenToken, log } = connection
  if (givenToken !== null) return { value: givenToken, expiresInSeconds: 3600 }
  const scopes = scopesOf(profile)
  const request = tokenRequest(tokenUrl, profile.token, { ...connection, scopes })
  const answer = await send(request).catch((error: unknown) => {
    // Without a token no call reached the API itself.
    throw new PspError("unavailable", "no access token", { cause: error })
  })
  const parsed = tokenSchema.safeParse(answer.body)
  const isGiven = answer.status === 200 || answer.status === 201
  if (isGiven && parsed.success) {
    const missing = missingScopes(parsed.data.scope, scopes)
    if (missing.length > 0) log.warn({ missing }, "the bank grants fewer scopes than we need; npm run psp:check")
    return { value: parsed.data.access_token, expiresInSeconds: parsed.data.expires_in }
  }
  throw new PspError("unavailable", `token refused with status ${answer.status} (${describeRefusal(answer)})`)
}

/** Most banks need none of these headers, so nothing is created for them. */
function filler(
  wanted: Readonly<Record<string, FilledIn>>,
  { clientId, appKey, account }: Pick<ApiPixConnection, "clientId" | "appKey" | "account">,
): () => Record<string, string> {
  const make: Record<FilledIn, (() => string) | null> = {
    "client-id": () => clientId,
    "app-key": appKey === null ? null : () => appKey,
    account: account === null ? null : () => account,
    uuid: () => randomUUID(),
  }
  const makers = Object.entries(wanted).flatMap(([name, what]) => {
    const maker = make[what]
    return maker === null ? [] : [[name, maker] as const]
  })
  if (makers.length === 0) return () => nothing
  return () => Object.fromEntries(makers.map(([name, maker]) => [name, maker()]))
}

const nothing = Object.freeze({})

function withQuery(url: string, query: Record<string, string>): string {
  if (query === nothing) return url
  return `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams(query).toString()}`
}

/** "PUT cob" of "/cob/{txid}", "list pix" of "/pix?inicio=…": what a bank limits, and what fails, together. */
function kindOf(method: string, path: string): string {
  return `${path.includes("?") ? "list" : method} ${resourceOf(path)}`
}

function resourceOf(path: string): string {
  return path.replace("/../", "/").split(/[/?]/)[1] ?? ""
}
