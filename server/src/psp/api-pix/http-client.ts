import { type Answer, sendBounded } from "#psp/bounded-http"
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

/** One access token for all calls at once, and a new one after a 401. */
export function createApiPixClient(config: ApiPixConfig) {
  const { baseUrl, tokenUrl, clientId, clientSecret, timeoutMs } = config
  const tokens = createTokenSource(async () => {
    const answer = await sendBounded({
      url: tokenUrl,
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=client_credentials",
      timeoutMs,
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
      return sendBounded({
        url: baseUrl + path,
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
      })
    }
  }

  return { request }
}

export type ApiPixClient = ReturnType<typeof createApiPixClient>
