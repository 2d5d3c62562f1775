import type { FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"

/** A local proxy connects from this machine too, so the forwarded address must be local as well. */
export async function onlyThisMachine(request: FastifyRequest): Promise<void> {
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",")
  const addresses = [request.socket.remoteAddress ?? "", ...forwarded].map((address) => address.trim())
  if (!addresses.filter((address) => address !== "").every(isLoopback)) {
    throw new DomainError("forbidden", { message: "Os e-mails do ambiente de teste só são mostrados nesta máquina." })
  }
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address)
}
