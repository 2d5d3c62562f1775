import type { OutgoingHttpHeaders, ServerResponse } from "node:http"
import type { FastifyInstance, FastifyReply } from "fastify"
import { DomainError } from "#kit/errors"

export interface EventStream {
  send(event: string, data: object): void
  close(): void
}

export interface EventStreams {
  /** Starts a stream of events, which ends when the client leaves or the server stops. */
  open(reply: FastifyReply, onClose: () => void): EventStream
}

/** Proxies cut connections that are silent for a minute or less. */
const HEARTBEAT_SECONDS = 20
/** A client that stops reading is disconnected, so that it holds no memory; browsers reconnect by themselves. */
const MOST_UNREAD_BYTES = 16_384

/**
 * Server-sent events for thousands of mostly idle clients: each is a response and an entry in a list, with one timer
 * for all. The scope must contain nothing but streams.
 */
export function serveEventStreams(app: FastifyInstance): EventStreams {
  // Heartbeats are spread over the seconds, because sending all at once would delay everybody else.
  const parts = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<ServerResponse>())
  let second = 0
  let opened = 0

  const heartbeat = setInterval(() => {
    second = (second + 1) % parts.length
    for (const response of parts[second] ?? []) write(response, ": heartbeat\n\n")
  }, 1_000).unref()

  app.addHook("onRequest", async ({ headers }) => {
    if (!takesEvents(headers.accept)) throw new DomainError("not_acceptable")
  })
  app.addHook("preClose", async () => {
    clearInterval(heartbeat)
    for (const part of parts) for (const response of part) response.end()
  })

  return {
    open(reply, onClose) {
      // The last of these headers keeps nginx from buffering.
      reply.headers({ "content-type": "text/event-stream", connection: "keep-alive", "x-accel-buffering": "no" })
      reply.hijack()
      const response = reply.raw
      const part = parts[opened % parts.length]
      opened += 1
      part?.add(response)
      const close = () => {
        if (part?.delete(response) === true) onClose()
      }
      response.once("close", close)
      response.on("error", () => undefined)
      // A client that left during the lookup fires no further 'close'.
      if (response.destroyed) close()
      response.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
      return {
        send: (event, data) => write(response, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        close: () => void response.end(),
      }
    },
  }
}

function takesEvents(accept = "*/*"): boolean {
  return ["text/event-stream", "text/*", "*/*"].some((kind) => accept.includes(kind))
}

function write(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return
  response.write(text)
  if (response.writableLength > MOST_UNREAD_BYTES) response.destroy()
}

const RETRY_SECONDS = 30

interface StreamSlots {
  /** Returns the function that releases the place, which may be called twice. */
  take(holder: string): () => void
}

/** Limits the streams of one user or address in this process, and of all, so that nobody takes all connections. */
export function createStreamSlots(perHolder: number, inAll = Number.POSITIVE_INFINITY): StreamSlots {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(holder) {
      const before = taken.get(holder) ?? 0
      if (before >= perHolder || all >= inAll)
        throw new DomainError("too_many_requests", { retryAfterSeconds: RETRY_SECONDS })
      taken.set(holder, before + 1)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        const left = (taken.get(holder) ?? 1) - 1
        if (left === 0) taken.delete(holder)
        else taken.set(holder, left)
      }
    },
  }
}
