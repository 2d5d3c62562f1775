import type { IncomingMessage, ServerResponse } from "node:http"
import type { FastifyInstance } from "fastify"
import type { Drain } from "#kit/request-scope"
import { inRequest } from "#kit/request-scope"
import { hasOneHost, type IsTrusted } from "./hosts.ts"
import { newRequestId, observeRequest, proxysTraceOf, requestIdHeader } from "./request-metrics.ts"
import { protectionOf } from "./security-headers.ts"

/** Answers the plain GETs of one route without Fastify. */
export interface FastPath {
  /** The route's pattern, by which its requests are counted. Its urgency is `first`: it is never shed. */
  route: string
  /** Null for a request that only the route may answer; by then nothing is read or counted. */
  accept(request: IncomingMessage): (() => Promise<string>) | null
}

interface Failed {
  id: string
  sinceMs: number
  error: Error
}

/**
 * Goes before Fastify's routes, which stay the truth of how a request is refused: whatever is not plain they get untouched,
 * and a failure they answer in its place. To be called after the hooks that every reply needs.
 */
export function openFastPath(
  app: FastifyInstance,
  { route, accept }: FastPath,
  { drain, isTrustedPeer }: { drain: Drain; isTrustedPeer: IsTrusted },
): void {
  const headers = headersOf(route)
  const failures = new WeakMap<IncomingMessage, Failed>()
  let isClosing = false
  app.addHook("preClose", async () => void (isClosing = true))
  app.addHook("onRequest", (request, reply, done) => {
    const failed = failures.get(request.raw)
    if (failed === undefined) return done()
    request.id = failed.id
    request.earlierMs = performance.now() - failed.sinceMs
    reply.header(requestIdHeader, failed.id)
    done(failed.error)
  })

  async function serve(answer: () => Promise<string>, request: IncomingMessage, response: ServerResponse) {
    const sinceMs = performance.now()
    const id = newRequestId()
    const scope = { id, traceId: proxysTraceOf(request, isTrustedPeer), headers: request.headers }
    try {
      const text = await inRequest(scope, answer)
      response.writeHead(200, [requestIdHeader, id, ...headers, String(Buffer.byteLength(text))])
      response.end(text, () =>
        observeRequest({ route, method: "GET", status: 200 }, (performance.now() - sinceMs) / 1000),
      )
    } catch (error) {
      failures.set(request, { id, sinceMs, error: error as Error })
      app.routing(request, response)
    }
  }

  app.server.removeAllListeners("request").on("request", (request: IncomingMessage, response: ServerResponse) => {
    const isPlain =
      !isClosing && !drain.isDraining() && request.method === "GET" && !hasBody(request) && hasOneHost(request)
    const answer = isPlain ? accept(request) : null
    if (answer === null) app.routing(request, response)
    else void serve(answer, request, response)
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || headers["content-length"] !== undefined
}

/** Those of every reply, in Fastify's order; the body's length comes last. */
function headersOf(route: string): string[] {
  const all = { ...protectionOf(route), "content-type": "application/json; charset=utf-8" }
  return [...Object.entries(all).flat(), "content-length"]
}
