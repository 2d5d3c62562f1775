import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"

interface ReceivedWebhook {
  headers: Record<string, string>
  body: string
  /** The event, once its signature was verified. */
  event: { id: string; type: string; sequence: number; createdAt: string; data: object }
}

/** The status to answer, or whatever else to do. */
type Manner = number | ((request: IncomingMessage, reply: ServerResponse) => void)

export interface WebhookReceiver {
  url: string
  received: ReceivedWebhook[]
  /** Requests, also those whose signature was wrong. */
  hits(): number
  /** The secret by which every request is verified before it is answered. */
  trust(secret: string): void
  answer(next: Manner | (() => Manner)): void
  stop(): Promise<void>
}

/** A seller's program, which verifies signatures by the reference library of Standard Webhooks. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  let secret: string | null = null
  let hits = 0
  let manner: () => Manner = () => 200

  const server = createServer(async (request, reply) => {
    hits += 1
    let body = ""
    for await (const chunk of request) body += String(chunk)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    try {
      const event = new Webhook(secret ?? "").verify(body, headers) as ReceivedWebhook["event"]
      const next = manner()
      if (typeof next === "function") return next(request, reply)
      if (next < 300) received.push({ headers, body, event })
      reply.writeHead(next).end(next < 300 ? "" : "Ops\u0000, não deu")
    } catch (error) {
      reply.writeHead(401).end(String(error))
    }
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gancho`,
    received,
    hits: () => hits,
    trust(next) {
      secret = next
    },
    answer(next) {
      manner = typeof next === "function" && next.length === 0 ? (next as () => Manner) : () => next
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Silence extends Pick<WebhookReceiver, "url" | "trust"> {
  /** Requests without an answer. */
  open(): number
  /** Answers them, and from now on each one. */
  end(): void
  close(): void
}

/** Takes every request and answers none, until it ends. */
export async function startSilence(): Promise<Silence> {
  const replies: ServerResponse[] = []
  let isOver = false
  const server = createServer((_request, reply) => {
    if (isOver) reply.end()
    else replies.push(reply)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gancho`,
    trust: () => undefined,
    open: () => replies.length,
    end() {
      isOver = true
      for (const reply of replies) reply.end()
    },
    close: () => void server.close(),
  }
}
