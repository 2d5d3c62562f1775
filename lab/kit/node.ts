import { setTimeout as sleep } from "node:timers/promises"
import type { ServerProcess } from "../crash-tests/server-process.ts"
import type { Market } from "./market.ts"

export interface Node {
  server: ServerProcess
}

/** Restarts on the same port, as behind a proxy. */
export async function startNode(market: Market): Promise<Node> {
  return { server: await market.startServer() }
}

export async function restart(market: Market, node: Node): Promise<void> {
  node.server.kill("SIGKILL")
  await node.server.exited
  for (;;) {
    try {
      node.server = await market.startServer({ PORT: new URL(node.server.url).port })
      return
    } catch (error) {
      // PostgreSQL itself may be down, so retry, as an operator's supervisor would.
      if (!String(error).includes("did not get ready")) throw error
      await sleep(500)
    }
  }
}
