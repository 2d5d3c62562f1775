import type { IncomingMessage } from "node:http"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { type Connections, openConnections, sendHttp } from "#kit/http-client"

const methods = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT", "OPTIONS"]
const timeoutMs = 30_000

/** Hop-by-hop headers: each side has its own connection. */
const ofOneConnection = [
  ...["connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "expect"],
]

/** The sandbox's bank under our own address, so that people who try the product need to know only one. */
export function simulatorProxy(scope: FastifyInstance, simulatorUrl: string): void {
  const connections = openConnections({ connections: 64 })
  scope.addHook("onClose", () => connections.destroy())
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, body, done) => done(null, body))
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = await passOn(connections, simulatorUrl, request)
    return reply
      .code(answer.statusCode ?? 502)
      .headers(withoutConnection(answer.headers))
      .send(answer)
  }
  for (const url of ["/simulador", "/simulador/*"]) scope.route({ method: methods, url, handler })
}

async function passOn(
  connections: Connections,
  simulatorUrl: string,
  { method, url, headers, body, ip }: FastifyRequest,
): Promise<IncomingMessage> {
  const { host: _ours, ...passed } = withoutConnection(headers)
  try {
    return await sendHttp(connections, simulatorUrl, {
      method,
      path: url,
      // The bank's fault switches answer only this machine, so it must know the caller.
      headers: { ...passed, "x-forwarded-for": ip },
      body: (body as FastifyRequest["raw"] | undefined) ?? null,
      silentMs: timeoutMs,
    })
  } catch (cause) {
    throw new DomainError("service_unavailable", { cause, retryAfterSeconds: 2 })
  }
}

function withoutConnection<Headers extends object>(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneConnection.includes(name))) as Headers
}
