import type { Agent, AgentOptions, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http"
import * as https from "node:https"
import type { Readable } from "node:stream"
import { createSecureContext, type SecureContextOptions } from "node:tls"

/** Kept connections to any number of origins; closed by their opener. */
export interface Connections {
  http: Agent
  readonly https: https.Agent
  destroy(): void
}

interface ConnectionOptions {
  /** At most so many at once to one origin. */
  connections?: number
  connectMs?: number
  tls?: SecureContextOptions
}

/** Below the idle time of every usual server, so that a request seldom meets a connection that is just being closed. */
const IDLE_MS = 4_000
const CONNECT_MS = 10_000

export function openConnections({ connections, connectMs = CONNECT_MS, tls }: ConnectionOptions): Connections {
  const kept = { keepAlive: true, timeout: IDLE_MS, ...(connections !== undefined && { maxSockets: connections }) }
  const plain = limitConnecting(new http.Agent(kept), "connect", connectMs)
  let secured: https.Agent | undefined
  return {
    http: plain,
    // Made with the first call: a context that trusts the usual authorities reads each of them, for tens of milliseconds.
    get https() {
      secured ??= limitConnecting(securedAgent(kept, tls), "secureConnect", connectMs)
      return secured
    },
    destroy() {
      plain.destroy()
      secured?.destroy()
    },
  }
}

/** A context made once: from bare certificates an agent would build its pool's key anew for each request. */
function securedAgent(kept: AgentOptions, tls: SecureContextOptions | undefined): https.Agent {
  const secured = tls === undefined ? {} : { secureContext: createSecureContext(tls) }
  return new https.Agent({ ...kept, ...secured, rejectUnauthorized: true })
}

class ConnectTimeout extends Error {
  override name = "ConnectTimeout"
  readonly code = "CONNECT_TIMEOUT"
}

function limitConnecting<Kind extends Agent>(
  agent: Kind,
  connected: "connect" | "secureConnect",
  connectMs: number,
): Kind {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback)
    const timer = setTimeout(() => socket?.destroy(new ConnectTimeout(`not connected in ${connectMs} ms`)), connectMs)
    for (const event of [connected, "close"]) socket?.once(event, () => clearTimeout(timer))
    return socket
  }
  return agent
}

interface HttpRequest {
  method: string
  path: string
  headers?: OutgoingHttpHeaders
}

function openRequest(connections: Connections, origin: string, { method, path, headers = {} }: HttpRequest) {
  const { protocol, hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[|\]$/g, "")
  const target = { method, path, headers, host, port }
  return protocol === "https:"
    ? https.request({ ...target, agent: connections.https })
    : http.request({ ...target, agent: connections.http })
}

/** Forwards `path` unchanged, and resolves at the reply's headers; its body is read from the reply. */
export function sendHttp(
  connections: Connections,
  origin: string,
  { body, silentMs, ...target }: HttpRequest & { body: Readable | null; silentMs: number },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = openRequest(connections, origin, target)
    request.once("response", resolve)
    request.on("error", reject)
    request.setTimeout(silentMs, () => request.destroy(new Error(`nothing came for ${silentMs} ms`)))
    if (body === null) {
      request.end()
    } else {
      body.once("error", (error) => request.destroy(error))
      body.pipe(request)
    }
  })
}

interface WholeReply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface Bounds {
  /** Timeout of the whole call, from the wait for a connection to the last byte. */
  timeoutMs: number
  maxBytes: number
}

export class ReplyTooLarge extends Error {
  override name = "ReplyTooLarge"
}

const decoder = new TextDecoder()

/** The whole reply or an error. A call that times out while it waits for a connection is never sent. */
export function askHttp(
  connections: Connections,
  origin: string,
  { body, ...target }: HttpRequest & { body?: string },
  { timeoutMs, maxBytes }: Bounds,
): Promise<WholeReply> {
  return new Promise((resolve, reject) => {
    const request = openRequest(connections, origin, target)
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
      request.destroy(error)
    }
    const timer = setTimeout(
      () => fail(new DOMException(`no whole answer within ${timeoutMs} ms`, "TimeoutError")),
      timeoutMs,
    )
    request.on("error", fail)
    request.once("response", (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on("error", fail)
      response.on("data", (chunk: Buffer) => {
        size += chunk.byteLength
        if (size > maxBytes) fail(new ReplyTooLarge(`more than ${maxBytes} bytes`))
        else chunks.push(chunk)
      })
      response.once("end", () => {
        clearTimeout(timer)
        const [first = new Uint8Array()] = chunks
        const whole = chunks.length > 1 ? Buffer.concat(chunks, size) : first
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: decoder.decode(whole) })
      })
    })
    request.end(body)
  })
}

/**
 * Node's `http` without an import: that reads every name which the module exports, and so loads the `fetch` of Node,
 * 12 MB and 30 ms of a start.
 */
export const http = process.getBuiltinModule("node:http")
