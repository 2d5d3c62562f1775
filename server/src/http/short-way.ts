import type { IncomingMessage, ServerResponse } from "node:http"
import type { FastifyInstance } from "fastify"
import { inRequest } from "#kit/request-scope"
import type { HttpDeps } from "./deps.ts"
import { observeRequest } from "./measure-requests.ts"
import { newRequestId, proxysTraceOf, requestIdHeader } from "./name-requests.ts"
import { protectionOf } from "./security-headers.ts"
import type { IsTrusted } from "./trusted-peers.ts"

/** Answers the plain requests of one route without Fastify. */
export interface ShortWay {
  method: string
  /** The route's pattern, by which its requests are counted. Its urgency is `first`: it is never shed. */
  route: string
  /** Larger bodies, and those of unknown length, are the route's; 0 for none. */
  mostBytes: number
  /** Null for a request that only the route may answer; by then nothing is read or counted. */
  accept(request: IncomingMessage): ((body: Buffer) => Promise<string>) | null
}

interface Taken {
  way: ShortWay
  answer(body: Buffer): Promise<string>
}

interface Failed {
  id: string
  sinceMs: number
  error: Error
}

/** A body that its client didn't send to the end: nobody waits for an answer. */
class CutOff extends Error {}

const noBody = Buffer.alloc(0)

/**
 * Goes before Fastify's routes, which stay the truth of how a request is refused: whatever is not plain they get untouched,
 * and a failure they answer in its place. To be called after the hooks that every reply needs.
 */
export function openShortWays(
  app: FastifyInstance,
  ways: readonly ShortWay[],
  { drain, isTrustedPeer }: Pick<HttpDeps, "drain"> & { isTrustedPeer: IsTrusted },
): void {
  const headers = new Map(ways.map((way) => [way, headersOf(way)]))
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

  async function serve({ way, answer }: Taken, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sinceMs = performance.now()
    const id = newRequestId()
    const scope = { id, traceId: proxysTraceOf(request, isTrustedPeer), headers: request.headers }
    try {
      const body = way.mostBytes === 0 ? noBody : await readBody(request)
      const text = await inRequest(scope, () => answer(body))
      response.writeHead(200, [requestIdHeader, id, ...(headers.get(way) ?? []), String(Buffer.byteLength(text))])
      response.end(text, () =>
        observeRequest({ route: way.route, method: way.method, status: 200 }, (performance.now() - sinceMs) / 1000),
      )
    } catch (error) {
      if (error instanceof CutOff) return
      failures.set(request, { id, sinceMs, error: error as Error })
      app.routing(request, response)
    }
  }

  app.server.removeAllListeners("request").on("request", (request: IncomingMessage, response: ServerResponse) => {
    const taken = isClosing || drain.isDraining() ? null : take(ways, request)
    if (taken === null) app.routing(request, response)
    else void serve(taken, request, response)
  })
}

function take(ways: readonly ShortWay[], request: IncomingMessage): Taken | null {
  for (const way of ways) {
    const answer = request.method === way.method && isBodyFor(way, request) ? way.accept(request) : null
    if (answer !== null) return { way, answer }
  }
  return null
}

function isBodyFor({ mostBytes }: ShortWay, { headers }: IncomingMessage): boolean {
  if (headers["transfer-encoding"] !== undefined) return false
  const length = headers["content-length"]
  return mostBytes === 0 ? length === undefined : Number(length) > 0 && Number(length) <= mostBytes
}

/** Those of every reply, in Fastify's order; the body's length comes last. */
function headersOf({ route }: ShortWay): string[] {
  const all = { ...protectionOf(route), "content-type": "application/json; charset=utf-8" }
  return [...Object.entries(all).flat(), "content-length"]
}

/** The announced length has been checked, and Node's parser takes no byte more. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => void chunks.push(chunk))
    request.on("end", () => resolve(Buffer.concat(chunks)))
    request.on("error", (error) => reject(new CutOff("the body was cut off", { cause: error })))
  })
}
