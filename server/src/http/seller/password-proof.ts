import type { FastifyRequest } from "fastify"
import type { PasswordProof } from "#domain/people/users/prove-password"
import { deviceOf } from "#http/device-cookie"
import { sellerOf } from "./session-of.ts"

/** A key's scope was confirmed when the key was created, a fresh session by its step-up: one proof is enough. */
export function passwordProofOf(
  request: FastifyRequest,
  passwordCurrent: string | null | undefined,
): PasswordProof | null {
  const { id: userId, apiKeyId, isFresh } = sellerOf(request)
  const isSent = passwordCurrent !== undefined && passwordCurrent !== null
  if (apiKeyId !== null || (isFresh && !isSent)) return null
  return { userId, passwordCurrent: passwordCurrent ?? "", address: request.ip, device: deviceOf(request) }
}
