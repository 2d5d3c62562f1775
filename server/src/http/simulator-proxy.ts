import httpProxy from "@fastify/http-proxy"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"

/** The sandbox's bank, on our own address: nobody who tries the product has to know a second one. */
export async function simulatorProxy(scope: FastifyInstance, simulatorUrl: string): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(httpProxy, {
    upstream: simulatorUrl,
    prefix: "/simulador",
    rewritePrefix: "/simulador",
    logLevel: "error",
    replyOptions: {
      // The bank's switches answer this machine only, so it must know who asks.
      rewriteRequestHeaders: (request, headers) => ({
        ...headers,
        "x-forwarded-for": (request as unknown as FastifyRequest).ip,
      }),
      onError: (reply, { error }) => {
        ;(reply as unknown as FastifyReply).send(
          new DomainError("service_unavailable", { cause: error, retryAfterSeconds: 2 }),
        )
      },
    },
  })
}
