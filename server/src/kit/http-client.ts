import type { IncomingHttpHeaders } from "node:http"
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

export interface WholeReply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface Bounds {
  /** Of the whole call, from the wait for a connection to the last byte. */
  timeoutMs: number
  maxBytes: number
}

type WholeRequest = Omit<Dispatcher.DispatchOptions, "origin">

export class ReplyTooLarge extends Error {
  override name = "ReplyTooLarge"
}

/** All of an answer or nothing: without the stream and the signals of `sendHttp`, which cost more than the call. */
export function askHttp(
  connections: Connections,
  origin: string,
  asked: WholeRequest,
  bounds: Bounds,
): Promise<WholeReply> {
  return new Promise((resolve, reject) => {
    connections.dispatch({ ...asked, origin }, new ReplyReader(bounds, resolve, reject))
  })
}

const decoder = new TextDecoder()

class ReplyReader implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number
  readonly #resolve: (reply: WholeReply) => void
  readonly #reject: (error: Error) => void
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | null = null
  #late: Error | null = null
  #status = 0
  #headers: IncomingHttpHeaders = {}
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor({ timeoutMs, maxBytes }: Bounds, resolve: (reply: WholeReply) => void, reject: (error: Error) => void) {
    this.#maxBytes = maxBytes
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#giveUp(timeoutMs), timeoutMs)
  }

  /** Also one that still waits for a connection: it never leaves. */
  #giveUp(timeoutMs: number): void {
    const late = new DOMException(`no whole answer within ${timeoutMs} ms`, "TimeoutError")
    this.#late = late
    this.#controller?.abort(late)
    this.#reject(late)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#late !== null) controller.abort(this.#late)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.byteLength
    if (this.#size > this.#maxBytes) throw new ReplyTooLarge(`more than ${this.#maxBytes} bytes`)
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    const [first = new Uint8Array()] = this.#chunks
    const whole = this.#chunks.length > 1 ? Buffer.concat(this.#chunks, this.#size) : first
    this.#resolve({ status: this.#status, headers: this.#headers, text: decoder.decode(whole) })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer)
    this.#reject(error)
  }
}
