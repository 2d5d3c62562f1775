import cluster from "node:cluster"
import { once } from "node:events"
import { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net"
import type { FastifyInstance } from "fastify"

interface Address {
  host: string
  port: number
}

/**
 * A turn of Node's event loop accepts one connection for each listening socket (libuv since 1.45). Under a flood a turn takes a
 * tenth of a second: then ten payers a second got in, and the others' requests lay unread until the flood was over.
 */
const SOCKETS = 16

/** The further sockets of a server, which `app.close` doesn't know. */
export interface Acceptor {
  listen(address: Address): Promise<void>
  close(): Promise<void>
}

/**
 * Listens at one address with several sockets, among which Linux spreads the connections. A primary process that accepts for
 * its workers has nothing else to do, so they need one.
 */
export function createAcceptor(app: FastifyInstance): Acceptor {
  let further: { close(): Promise<void> }[] = []
  return {
    async listen(address) {
      if (process.platform !== "linux" || cluster.isWorker) return void (await app.listen(address))
      // Sockets that share a port would share it with another server of ours, too.
      if (address.port !== 0) await (await open(createServer(), address)).close()
      const shared = { ...address, reusePort: true }
      await app.listen(shared)
      const { address: host, port } = app.server.address() as AddressInfo
      const servers = Array.from({ length: SOCKETS - 1 }, () =>
        createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void app.server.emit("connection", socket)),
      )
      further = await Promise.all(servers.map((server) => open(server, { ...shared, host, port })))
    },
    close: async () => void (await Promise.all(further.map((one) => one.close()))),
  }
}

async function open(server: Server, options: ListenOptions): Promise<{ close(): Promise<void> }> {
  server.listen(options)
  await once(server, "listening")
  return {
    async close() {
      const closed = once(server, "close")
      server.close()
      await closed
    },
  }
}
