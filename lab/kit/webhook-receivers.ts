import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export const manners = ["living", "slow", "wrong", "moved", "half", "returning"] as const
type Manner = (typeof manners)[number]

export interface Receivers {
  /** The address of a seller's endpoint that behaves so. */
  urlOf(manner: Manner, seller: number): string
  /** From now on those in trouble have other addresses, and nothing is known of the former ones. */
  replaceTroubled(): void
  /** Sequences that the endpoint has confirmed, and how often. */
  receivedBy(manner: Manner, seller: number): ReadonlyMap<number, number>
  /** Milliseconds from an event to its first confirmation, of all living endpoints since the last call. */
  takeDelays(): number[]
  /** From now on the returning ones answer. */
  comeBack(): void
  close(): void
}

/** Longer than anybody waits for an answer. */
const slowMs = 15_000

/** Sellers' systems in all their states, in one server. */
export async function openReceivers(): Promise<Receivers> {
  const received = new Map<string, Map<number, number>>()
  let delays: number[] = []
  let isBack = false
  let generation = 0

  const statuses: Record<Manner, () => number> = {
    living: () => 200,
    slow: () => 200,
    wrong: () => 404,
    moved: () => 302,
    half: () => (Math.random() < 0.5 ? 500 : 204),
    returning: () => (isBack ? 200 : 503),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = request.url ?? ""
    const [, manner, seller] = address.split("/")
    const event = JSON.parse(await textOf(request)) as { sequence: number; createdAt: string }
    const status = statuses[manner as Manner]()
    if (status < 300 && manner !== "slow" && event.sequence > 0) record(address, event)
    if (manner === "slow") await new Promise((resolve) => setTimeout(resolve, slowMs).unref())
    response.writeHead(status, status === 302 ? { location: urlOf("living", Number(seller)) } : {}).end()
  }

  function record(address: string, event: { sequence: number; createdAt: string }): void {
    const known = received.get(address) ?? new Map<number, number>()
    received.set(address, known)
    const times = known.get(event.sequence) ?? 0
    if (times === 0 && address.startsWith("/living/")) delays.push(Date.now() - Date.parse(event.createdAt))
    known.set(event.sequence, times + 1)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const pathOf = (manner: Manner, seller: number) => `/${manner}/${seller}/${manner === "living" ? 0 : generation}`
  const urlOf = (manner: Manner, seller: number) => `http://127.0.0.1:${port}${pathOf(manner, seller)}`

  return {
    urlOf,
    replaceTroubled() {
      generation += 1
    },
    receivedBy: (manner, seller) => received.get(pathOf(manner, seller)) ?? new Map(),
    takeDelays() {
      const taken = delays
      delays = []
      return taken
    },
    comeBack() {
      isBack = true
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
