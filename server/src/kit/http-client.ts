import type { Agent, Dispatcher } from "undici"
// The library's front door also loads a browser's fetch, sockets and caches: 15 MB that nothing here uses.
import request from "undici/lib/api/api-request.js"
import PartAgent from "undici/lib/dispatcher/agent.js"

export type Connections = Dispatcher

export type HttpReply = Dispatcher.ResponseData

type HttpRequest = Omit<Dispatcher.RequestOptions, "origin">

/** Kept connections to whoever is asked; closed by whoever opened them. */
export function openConnections(options: Agent.Options): Connections {
  return new PartAgent(options)
}

/** `path` leaves as it is given, so that who passes something on passes exactly that. */
export function sendHttp(connections: Connections, origin: string, asked: HttpRequest): Promise<HttpReply> {
  return request.call(connections, { ...asked, origin })
}
