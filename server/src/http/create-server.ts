import { isUtf8 } from "node:buffer"
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify"
import { DomainError } from "#kit/domain-error"
import type { Logger } from "#kit/log"
import { http } from "#kit/node-http"
import type { HttpDeps } from "./deps.ts"
import { handleErrors, replyToBrokenConnection, replyWithError } from "./handle-errors.ts"
import { measureRequests } from "./measure-requests.ts"
import { nameRequests, newRequestId, requestIdHeader } from "./name-requests.ts"
import { protectReplies, securityHeaders } from "./security-headers.ts"
import { serializeReply } from "./serialize-reply.ts"
import { shedLoad } from "./shed-load.ts"
import { trustedPeers } from "./trusted-peers.ts"
import { validateRequest } from "./validate-request.ts"

const bodyLimitBytes = 1024 * 1024
/** Node ends a slow body only when the headers' timeout is the shorter one. */
const timeoutMs = { headers: 10_000, request: 20_000 }

/** The server without routes: parsing, security headers, metrics and errors. */
export function createServer({
  log,
  trustedProxies,
  pressure,
}: Pick<HttpDeps, "log" | "trustedProxies" | "pressure">): FastifyInstance {
  const isTrusted = trustedPeers(trustedProxies)
  const app = Fastify({
    loggerInstance: withoutChildren(log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    genReqId: newRequestId,
    requestTimeout: timeoutMs.request,
    http: {
      headersTimeout: timeoutMs.headers,
      requestTimeout: timeoutMs.request,
      connectionsCheckingInterval: 2_000,
      optimizeEmptyRequests: true,
    },
    // No link is too long to be not found; the parser bounds the whole head.
    routerOptions: { maxParamLength: http.maxHeaderSize },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: notNeeded, buildSerializer: notNeeded } },
    trustProxy: trustedProxies.length === 0 ? false : isTrusted,
    clientErrorHandler: replyToBrokenConnection,
    frameworkErrors: (error, request, reply) =>
      replyWithError(
        error,
        request as unknown as FastifyRequest,
        (reply as unknown as FastifyReply).headers({ ...securityHeaders, [requestIdHeader]: request.id }),
      ),
  })
  app.setValidatorCompiler(validateRequest)
  app.setSerializerCompiler(serializeReply)
  readOnlyJson(app)
  nameRequests(app, isTrusted)
  expectNoEmptyBody(app)
  handleErrors(app)
  protectReplies(app)
  measureRequests(app)
  shedLoad(app, pressure)
  return app
}

/** Fails loudly: our compilers are set at once, and without this Fastify would first load its own, ninety files. */
function notNeeded(): never {
  throw new Error("a route was compiled before the server had its compilers")
}

/** Fastify requests a child logger per request: only one with a level of its own is worth creating. */
function withoutChildren(log: Logger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(log, {
    child: {
      value: (...[bindings, options]: Parameters<Logger["child"]>) =>
        options?.level ? log.child(bindings, options) : shared,
    },
  })
  return shared
}

/**
 * Accepts plain UTF-8 JSON, without byte order mark or compression. An empty body counts as none, since clients send
 * the type with it too.
 */
function readOnlyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("remove", "remove")
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (body.length === 0 || request.is404) done(null, undefined)
    else if (isCompressed(request)) done(new DomainError("unsupported_media_type"))
    else if (!isUtf8(body) || body.indexOf(byteOrderMark) === 0) done(new DomainError("malformed_request"))
    else void parseJson(request, body.toString(), done)
  })
}

/** A request without a body has ended before this hook: a parser chosen by its content type would wait for ever. */
function expectNoEmptyBody(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    if (raw.readableEnded && raw.headers["content-type"] !== undefined) delete raw.headers["content-type"]
    done()
  })
}

const byteOrderMark = "\uFEFF"

function isCompressed({ headers }: FastifyRequest): boolean {
  return (headers["content-encoding"] ?? "identity") !== "identity"
}
