import type { IncomingMessage } from "node:http"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { type Connections, openConnections, sendHttp } from "#kit/http-client"

const methods = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT", "OPTIONS"]
const timeoutMs = 30_000

/** They speak of one connection, and each side has its own. */
const ofOneConnection = [
  ...["connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "expect"],
]

/** The sandbox's bank, on our own address: nobody who tries the product has to know a second one. */
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
      // The bank's switches answer this machine only, so it must know who asks.
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
