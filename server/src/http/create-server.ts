import { isUtf8 } from "node:buffer"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify"
import { DomainError } from "#kit/errors"
import { http } from "#kit/http-client"
import type { Logger } from "#kit/log"
import type { Pressure } from "#kit/pressure"
import type { Drain } from "#kit/request-scope"
import { handleErrors, replyToBrokenConnection, replyWithError } from "./errors.ts"
import { readCallers, trustedPeers } from "./hosts.ts"
import { shedLoad } from "./rate-limits.ts"
import { measureRequests, nameRequests, newRequestId, requestIdHeader } from "./request-metrics.ts"
import { protectReplies, securityHeaders } from "./security-headers.ts"
import { serializeReply, servedRoutes, validateRequest } from "./serve-endpoint.ts"

const bodyLimitBytes = 1024 * 1024
/** Node ends a slow body only when the headers' timeout is the shorter one. */
const timeoutMs = { headers: 10_000, request: 20_000 }

/** The server without routes: parsing, security headers, metrics and errors. */
export function createServer({
  log,
  trustedProxies,
  pressure,
}: {
  log: Logger
  trustedProxies: readonly string[]
  pressure: Pressure
}): FastifyInstance {
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
  readCallers(app, isTrusted)
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

/** Kept connections are closed with their next reply, so that a proxy has none left when the server stops. */
export function drainConnections(app: FastifyInstance, { drain }: { drain: Drain }): void {
  app.addHook("onRequest", (_request, reply, done) => {
    if (drain.isDraining()) reply.header("connection", "close")
    done()
  })
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Fast levels, since the page is rendered per visitor; below 5 the checkout would exceed the first TCP window. */
const brotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 16,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
}

/** Sends the text in an encoding that the browser accepts, compressed off the event loop. */
export async function compressReply(request: FastifyRequest, reply: FastifyReply, text: string): Promise<Buffer> {
  const body = Buffer.from(text)
  const encoding = acceptedEncoding(request)
  reply.header("vary", "accept-encoding")
  if (encoding === null) return body

  reply.header("content-encoding", encoding)
  return encoding === "br" ? brotli(body, brotliOptions) : gzipped(body, { level: 5 })
}

export function acceptedEncoding(request: FastifyRequest): "br" | "gzip" | null {
  const accepted = (request.headers["accept-encoding"] ?? "")
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => !/;\s*q=0(\.0+)?$/.test(item))
    .map((item) => item.split(";", 1)[0])
  if (accepted.includes("br")) return "br"
  return accepted.includes("gzip") ? "gzip" : null
}

interface ServedPath {
  pattern: RegExp
  method: string
}

/** Handles paths without a route; it knows every route, so it distinguishes a wrong method from a wrong address. */
export function unknownRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => void {
  const allowedMethods = methodsOfPaths(app)

  return (request, reply) => {
    const methods = allowedMethods(pathOf(request))
    if (methods.length === 0) throw new DomainError("route_not_found")

    reply.header("allow", methods.join(", "))
    if (request.method !== "OPTIONS") throw new DomainError("method_not_allowed")
    reply.code(204).send()
  }
}

/**
 * The address of a page that was asked for with a slash behind it, with its query; null when there is none. People and
 * the programs that make links of texts add the slash.
 */
export function addressesWithoutSlash(app: FastifyInstance): (request: FastifyRequest) => string | null {
  const allowedMethods = methodsOfPaths(app)

  return (request) => {
    const path = pathOf(request)
    const meant = path.replace(/(?<!\/)\/+$/, "")
    if (meant === path || !allowedMethods(meant).includes("GET")) return null
    return meant + request.url.slice(path.length)
  }
}

/** The methods of the routes that a path fits. */
function methodsOfPaths(app: FastifyInstance): (path: string) => string[] {
  let served: ServedPath[] | undefined

  return (path) => {
    served ??= servedRoutes(app).map(({ url, method }) => ({ pattern: patternOf(url), method }))
    const methods = served.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    return methods.length === 0 ? [] : [...new Set([...methods, "OPTIONS"])].sort()
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => (part.startsWith(":") ? "[^/]+" : part === "*" ? ".*" : RegExp.escape(part)))
  return new RegExp(`^${source.join("")}$`)
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? ""
}
