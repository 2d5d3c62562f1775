import type { FastifyInstance } from "fastify"
import type { HttpDeps } from "./deps.ts"

/** Kept connections are closed with their next reply, so that a proxy has none left when the server stops. */
export function drainConnections(app: FastifyInstance, { drain }: Pick<HttpDeps, "drain">): void {
  app.addHook("onRequest", (_request, reply, done) => {
    if (drain.isDraining()) reply.header("connection", "close")
    done()
  })
}
