import { PspError } from "#psp/psp"
import { createTokenSource } from "./access-token.ts"
import { tokenSchema } from "./schemas.ts"

export interface ApiPixConfig {
  /** The API itself, such as https://bank/v2, without a slash at the end. */
  baseUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  timeoutMs: number
}

interface Answer {
  status: number
  body: unknown
}

const MAX_ANSWER_BYTES = 1_048_576

/** JSON over HTTP, bounded in time and size, no redirects, one new token after a 401. */
export function createApiPixClient(config: ApiPixConfig) {
  const tokens = createTokenSource(async () => {
    const answer = await send(config, config.tokenUrl, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${config.clientId}:${config.clientSecret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=client_credentials",
    }).catch((error: unknown) => {
      // Without a token nothing was asked of the API itself.
      throw new PspError("unavailable", "no access token", { cause: error })
    })
    const parsed = tokenSchema.safeParse(answer.body)
    if (answer.status !== 200 || !parsed.success) {
      throw new PspError("unavailable", `token refused with status ${answer.status}`)
    }
    return { value: parsed.data.access_token, expiresInSeconds: parsed.data.expires_in }
  })

  async function request(method: string, path: string, body?: object): Promise<Answer> {
    const token = await tokens.get()
    const answer = await attempt(token)
    if (answer.status !== 401) return answer
    tokens.discard(token)
    return attempt(await tokens.get())

    function attempt(bearer: string): Promise<Answer> {
      return send(config, config.baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    }
  }

  return { request }
}

export type ApiPixClient = ReturnType<typeof createApiPixClient>

export function failureOf(status: number): PspError {
  const definite = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
  return new PspError(definite ? "rejected" : "unknown", `the provider answered ${status}`)
}

async function send({ timeoutMs }: ApiPixConfig, url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, body: parseJson(await readBounded(response)) }
  } catch (error) {
    if (error instanceof PspError) throw error
    throw new PspError(wasRefused(error) ? "unavailable" : "unknown", "no answer from the provider", { cause: error })
  }
}

/** A connection that was never made can't have carried the request. */
function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause !== null && typeof cause === "object" && "code" in cause ? cause.code : undefined
  return code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "UND_ERR_CONNECT_TIMEOUT"
}

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return ""
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new PspError("unknown", "answer larger than 1 MB")
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  if (text === "") return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
