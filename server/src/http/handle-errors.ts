import type { Socket } from "node:net"
import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { domainErrorOf, statusOf, toErrorReply } from "./error-reply.ts"
import { newRequestId } from "./name-requests.ts"

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(replyWithError)
}

/** Also handles failures before routing, which pass no hook. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isAbandoned(error, reply)) return
  const failure = startErrorReply(error, request, reply)
  reply.type("application/json; charset=utf-8").send(toErrorReply(failure))
}

/** A client that leaves before a file's first byte ends its stream: nothing failed, and nobody reads a reply. */
function isAbandoned(error: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && (error as { code?: unknown }).code === "ERR_STREAM_PREMATURE_CLOSE"
}

/** Logs our own errors, and sets everything of the reply but its body. */
export function startErrorReply(error: unknown, request: FastifyRequest, reply: FastifyReply): DomainError {
  const failure = domainErrorOf(error)
  const status = statusOf[failure.code]
  if (status === 500) request.log.error({ err: failure.cause ?? failure, req: request }, "request failed")
  else if (status > 500 && failure.code !== "overloaded") {
    request.log.warn({ err: failure.cause ?? failure, req: request }, "request not served")
  }

  if (status === 403) reply.refusal = failure.code
  // Set by a file that failed before its first byte.
  reply.removeHeader("content-disposition")
  if (!reply.raw.headersSent) reply.raw.removeHeader("content-disposition")
  if (failure.retryAfterSeconds !== undefined) reply.header("retry-after", Math.ceil(failure.retryAfterSeconds))
  if (status === 401) reply.header("www-authenticate", "Bearer")
  reply.code(status).header("cache-control", "no-store")
  return failure
}

/** Failures before there is a request: unparsable HTTP, headers too large or too slow. */
export function replyToBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const code: ErrorCode = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "request_timeout" : "malformed_request"
  const body = JSON.stringify(toErrorReply(new DomainError(code)))
  socket.end(
    [
      `HTTP/1.1 ${statusOf[code]} ${code === "request_timeout" ? "Request Timeout" : "Bad Request"}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      `X-Request-Id: ${newRequestId()}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  )
}
