import type { FastifyRequest } from "fastify"
import { RequestRefused } from "./request-refused.ts"

/** A local proxy connects from this machine too, so the forwarded address must be local as well. */
export async function onlyLoopback(request: FastifyRequest): Promise<void> {
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",")
  const addresses = [request.socket.remoteAddress ?? "", ...forwarded].map((address) => address.trim())
  if (!addresses.filter((address) => address !== "").every(isLoopback)) {
    throw new RequestRefused(403, "O controle do simulador só atende esta máquina.")
  }
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address)
}
