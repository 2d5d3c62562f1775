import type { FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"

/** Null when the caller sent none. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers["idempotency-key"]
  if (key === undefined) return null
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new DomainError("malformed_request", {
    message: "Idempotency-Key inválida: use até 200 caracteres sem espaços.",
  })
}
