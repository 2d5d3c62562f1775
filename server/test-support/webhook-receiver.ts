import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import type { Db } from "#db/transaction"

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

/** A seller's program, which verifies signatures by the reference library of Standard Webhooks, and answers challenges. */
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
      const { challenge } = event.data as { challenge?: string }
      if (event.type === "webhook.challenge") return reply.end(challenge)
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

export interface Program {
  url: string
  stop(): Promise<void>
}

/** A program on this machine that answers each request's body with a status, a body and headers. */
export async function startProgram(
  answer: (body: string) => Promise<[status: number, body: string | Buffer, headers?: Record<string, string>]>,
): Promise<Program> {
  const server = createServer(async (request, reply) => {
    let sent = ""
    for await (const chunk of request) sent += String(chunk)
    const [status, body, headers = {}] = await answer(sent)
    reply.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gancho`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** As if the address had answered its challenge. */
export async function confirmWebhook({ db }: { db: Db }, id: string): Promise<void> {
  await db.updateTable("webhook_endpoints").set({ confirmed_at: new Date() }).where("id", "=", id).execute()
}
