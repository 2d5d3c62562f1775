import type { FastifyRequest } from "fastify"

export function bearerTokenOf(request: FastifyRequest): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")
  return match?.[1] ?? null
}
