import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface Backend {
  url: string
  agent: Agent
  isReady: boolean
}

const checkEveryMs = 250

/** A load balancer as one configures it: it asks /readyz, keeps connections, and repeats nothing. */
export interface RoundRobin {
  url: string
  add(url: string): Promise<void>
  remove(url: string): void
  close(): Promise<void>
}

export async function openRoundRobin(): Promise<RoundRobin> {
  let backends: Backend[] = []
  let turn = 0
  const server = createServer((incoming, reply) => {
    const ready = backends.filter(({ isReady }) => isReady)
    turn += 1
    const backend = ready[turn % ready.length]
    if (backend === undefined) reply.writeHead(502).end("nobody is ready")
    else forward(backend, incoming, reply)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const checking = setInterval(() => void Promise.all(backends.map(check)), checkEveryMs)

  async function add(url: string): Promise<void> {
    const backend = { url, agent: new Agent({ keepAlive: true }), isReady: false }
    await check(backend)
    backends = [...backends, backend]
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add,
    remove(url) {
      backends = backends.filter((backend) => backend.url !== url)
    },
    async close() {
      clearInterval(checking)
      server.closeAllConnections()
      server.close()
      for (const { agent } of backends) agent.destroy()
    },
  }
}

async function check(backend: Backend): Promise<void> {
  const reply = await fetch(`${backend.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  await reply?.body?.cancel()
  backend.isReady = reply?.status === 200
}

function forward({ url, agent }: Backend, incoming: IncomingMessage, reply: ServerResponse): void {
  const { method, headers } = incoming
  const outgoing = request(new URL(incoming.url ?? "/", url), { agent, ...(method && { method }), headers })
  outgoing.on("response", (answer) => {
    reply.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: "keep-alive" })
    answer.pipe(reply)
    answer.on("error", () => reply.destroy())
  })
  outgoing.on("error", ({ message }) => (reply.headersSent ? reply.destroy() : reply.writeHead(502).end(message)))
  incoming.pipe(outgoing)
}
