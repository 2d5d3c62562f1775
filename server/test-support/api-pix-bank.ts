import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach } from "vitest"
import { type ApiPixOptions, createApiPixPsp } from "#psp/api-pix/api-pix-psp"
import type { Psp } from "#psp/psp"
import { apiPixOptions } from "./api-pix-options.ts"

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

interface Bank {
  psp: Psp
  url: string
  tokenRequests: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[]
  tokensGiven(): number
  calls: string[]
  /** Stops accepting connections. */
  close(): void
}

interface Wishes extends Partial<ApiPixOptions> {
  refusedTokens?: number
  /** Status of the token endpoint's answers. */
  tokenStatus?: number
  grantedScopes?: string
}

let server: Server | undefined

/** A bank that issues tokens and answers API calls as the test says; closed after the test. */
export async function bankThat(
  answer: Answer,
  { refusedTokens = 0, tokenStatus = 200, grantedScopes, ...changes }: Wishes = {},
): Promise<Bank> {
  let tokens = 0
  const calls: string[] = []
  const tokenRequests: Bank["tokenRequests"] = []
  server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on("end", () => {
      if (request.url?.startsWith("/token") === true) {
        tokens += 1
        tokenRequests.push({ url: request.url, headers: request.headers, body })
        if (tokenStatus !== 200) return reply(response, tokenStatus, { error: "invalid_client" })
        return reply(response, 200, { access_token: `token-${tokens}`, expires_in: 3600, scope: grantedScopes })
      }
      calls.push(`${request.method} ${request.url}`)
      const token = Number(request.headers.authorization?.split("-")[1])
      if (token <= refusedTokens) return reply(response, 401, {})
      answer(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const psp = createApiPixPsp(apiPixOptions({ ...changes, baseUrl: url }))
  return { psp, url, calls, tokenRequests, tokensGiven: () => tokens, close: () => server?.close() }
}

export function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})
