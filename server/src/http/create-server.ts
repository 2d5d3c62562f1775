import helmet from "@fastify/helmet"
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify"
import { serializerCompiler } from "fastify-type-provider-zod"
import type { HttpDeps } from "./deps.ts"
import { handleErrors, replyToBrokenConnection, replyWithError } from "./handle-errors.ts"
import { measureRequests } from "./measure-requests.ts"
import { validateRequest } from "./validate-request.ts"

const bodyLimitBytes = 1024 * 1024
/** Node ends a slow body only where the headers' limit is the shorter one. */
const timeoutMs = { headers: 10_000, request: 20_000 }
const oneYearSeconds = 365 * 24 * 3600

/** The server without a route: how it reads requests, protects replies, measures and fails. */
export async function createServer({ log, publicUrl }: Pick<HttpDeps, "log" | "publicUrl">): Promise<FastifyInstance> {
  const baseLog: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance: baseLog,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    requestTimeout: timeoutMs.request,
    http: { headersTimeout: timeoutMs.headers, requestTimeout: timeoutMs.request, connectionsCheckingInterval: 2_000 },
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    trustProxy: trustedProxies(publicUrl),
    clientErrorHandler: replyToBrokenConnection,
    frameworkErrors: (error, request, reply) =>
      replyWithError(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply),
  })
  app.setValidatorCompiler(validateRequest)
  app.setSerializerCompiler(serializerCompiler)
  readOnlyJson(app)
  handleErrors(app)
  measureRequests(app)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: { maxAge: oneYearSeconds },
    referrerPolicy: { policy: "no-referrer" },
    frameguard: { action: "deny" },
  })
  app.addHook("onRequest", async (request, reply) => {
    if (isApi(request)) reply.header("cache-control", "no-store")
  })
  return app
}

export function isApi(request: FastifyRequest): boolean {
  return /^\/api(?:[/?]|$)/.test(request.url)
}

/** We speak no TLS, so with an https address a proxy in a private network stands before us; else nobody does. */
function trustedProxies(publicUrl: string): string[] | false {
  return publicUrl.startsWith("https:") ? ["loopback", "linklocal", "uniquelocal"] : false
}

/** An empty body is no body: clients send the JSON type also where nothing is asked for. */
function readOnlyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("remove", "remove")
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "" || request.is404) done(null, undefined)
    else void parseJson(request, body, done)
  })
}
