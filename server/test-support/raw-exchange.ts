import { type AddressInfo, connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import type { FastifyInstance } from "fastify"

/** Sends this text to a listening server, and returns all that comes back until it closes the connection. */
export async function exchange(app: FastifyInstance, request: string): Promise<string> {
  const socket = dial(app)
  socket.write(request)
  return text(socket)
}

export function dial(app: FastifyInstance): Socket {
  return connect((app.server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined)
}

/** A request that asks for the end of its connection, unless its headers say otherwise. */
export function requestText(line: string, headers: Record<string, string> = {}, body = ""): string {
  const all = { host: "localhost:3000", connection: "close", ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...lines, "", body].join("\r\n")
}

/** An answer without what no two have in common. */
export function comparable(answer: string): string {
  return answer.replaceAll(/^(x-request-id|date): .*$/gim, "$1: …")
}
