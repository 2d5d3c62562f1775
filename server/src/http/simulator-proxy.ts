import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { wayHeaders } from "@tilinta/simulator/of-this-machine"
import type { MayControl } from "@tilinta/simulator/open-to"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { type Connections, openConnections, sendHttp } from "#kit/http-client"

const methods = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT", "OPTIONS"]
const timeoutMs = 30_000
/** The bank's own limit. It closes the connection at more, which would look like a bank that is away. */
const mostBytes = 64 * 1024

/** Hop-by-hop headers: each side has its own connection. */
const ofOneConnection = [
  ...["connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "expect"],
]

/** The sandbox's bank under our own address, so that people who try the product need to know only one. */
export function simulatorProxy(
  scope: FastifyInstance,
  { simulatorUrl, mayControl }: { simulatorUrl: string; mayControl: MayControl },
): void {
  const connections = openConnections({ connections: 64 })
  scope.addHook("onClose", () => connections.destroy())
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: mostBytes }, (_request, body, done) =>
    done(null, body),
  )
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = await passOn(connections, simulatorUrl, request, mayControl(request) ? "127.0.0.1" : "unknown")
    return reply
      .code(answer.statusCode ?? 502)
      .headers(without(ofOneConnection, answer.headers))
      .send(answer)
  }
  for (const url of ["/simulador", "/simulador/*"]) scope.route({ method: methods, url, handler })
}

async function passOn(
  connections: Connections,
  simulatorUrl: string,
  request: FastifyRequest,
  caller: string,
): Promise<IncomingMessage> {
  const { method, url, headers } = request
  const body = request.body as Buffer | undefined
  const { host: _ours, "content-length": _theirs, ...passed } = without([...ofOneConnection, ...wayHeaders], headers)
  try {
    return await sendHttp(connections, simulatorUrl, {
      method,
      path: url,
      // The bank's faults answer only this machine. Decided here, where the caller's own connection and host are known;
      // `unknown` is nobody's address.
      headers: {
        ...passed,
        "x-forwarded-for": caller,
        // Ours, because a GET's body is not read: its length alone would swallow the connection's next request.
        ...(body !== undefined && { "content-length": body.byteLength }),
      },
      body: body === undefined ? null : Readable.from(body),
      silentMs: timeoutMs,
    })
  } catch (cause) {
    throw new DomainError("service_unavailable", { cause, retryAfterSeconds: 2 })
  }
}

function without<Headers extends object>(names: readonly string[], headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))) as Headers
}
