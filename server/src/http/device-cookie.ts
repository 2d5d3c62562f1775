import type { FastifyReply, FastifyRequest } from "fastify"

const yearSeconds = 365 * 24 * 60 * 60
const cookie = /(?:^|;\s*)tilinta_device=([\w-]+)/

/** A browser's proof that its user logged in here before. It opens nothing: it only passes the brake on wrong passwords. */
export function deviceOf(request: FastifyRequest): string | null {
  return cookie.exec(request.headers.cookie ?? "")?.[1] ?? null
}

export function rememberDeviceIn(reply: FastifyReply, device: string | null, publicUrl: string): void {
  if (device === null) return
  const secure = publicUrl.startsWith("https:") ? "; Secure" : ""
  const rules = `Max-Age=${yearSeconds}; Path=/api/v1/auth; HttpOnly; SameSite=Strict${secure}`
  reply.header("set-cookie", `tilinta_device=${device}; ${rules}`)
}
