import type { IncomingMessage } from "node:http"
import type { IsTrusted } from "./trusted-peers.ts"

/** The same as Fastify's `request.ip`, without its request; undefined once the connection is gone. */
export function clientAddress({ headers, socket }: IncomingMessage, isTrusted: IsTrusted): string | undefined {
  const forwarded = headers["x-forwarded-for"]
  let address = socket.remoteAddress
  if (typeof forwarded !== "string") return address
  const hops = forwarded.split(",")
  while (hops.length > 0 && isTrusted(address)) address = hops.pop()?.trim() || address
  return address
}
