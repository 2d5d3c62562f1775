import type { FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { invariant } from "#kit/invariant"

declare module "fastify" {
  interface FastifySchema {
    /** The API's reference names the header where it is set. */
    isIdempotent?: boolean
  }
}

/** Null when the caller sent none. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers["idempotency-key"]
  invariant(
    request.routeOptions.schema?.isIdempotent === true,
    "the endpoint doesn't say that it takes an Idempotency-Key",
  )
  if (key === undefined) return null
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new DomainError("malformed_request", {
    message: "Idempotency-Key inválida: use até 200 caracteres sem espaços.",
  })
}
