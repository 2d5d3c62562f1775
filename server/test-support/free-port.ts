import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/** Below those that the system hands out, or a connection of a neighbour could take it while the server is stopped. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const probe = createServer().listen(port, "127.0.0.1")
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    )
    probe.close()
    if (isFree) return port
  }
}
