import type { FastifyReply, FastifyRequest } from "fastify"

const yearSeconds = 365 * 24 * 60 * 60
const bound = /(?:^|;\s*)__Host-tilinta_device=([\w-]+)/
const plain = /(?:^|;\s*)tilinta_device=([\w-]+)/

/** A browser's proof that its user logged in here before. It opens nothing: it only passes the brake on wrong passwords. */
export function deviceOf(request: FastifyRequest): string | null {
  const cookies = request.headers.cookie ?? ""
  return (bound.exec(cookies) ?? plain.exec(cookies))?.[1] ?? null
}

/** By TLS under the prefix that binds a cookie to this host: no neighbour of the domain can set it. */
export function rememberDeviceIn(reply: FastifyReply, device: string | null, publicUrl: string): void {
  if (device === null) return
  const rules = `Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict`
  const written = publicUrl.startsWith("https:")
    ? `__Host-tilinta_device=${device}; Path=/; Secure; ${rules}`
    : `tilinta_device=${device}; Path=/api/v1/auth; ${rules}`
  reply.header("set-cookie", written)
}
