import { connect, createServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { portOf } from "./static-site.ts"

interface Link {
  roundTripMs: number
  downBytesPerMs: number
}

/** Bytes of a web page in one network packet. */
const packetBytes = 1_460

interface SlowLink {
  port: number
  close(): void
}

/**
 * A line to a server on this machine that hands packets over as a mobile network does: a page's first bytes arrive, and
 * can be painted, before its last. The throttling of the browser's tools keeps a whole answer back until its end.
 */
export async function openSlowLink(serverPort: number, { roundTripMs, downBytesPerMs }: Link): Promise<SlowLink> {
  const open = new Set<Socket>()
  /** The line is one, whatever the number of its connections. */
  let isFreeAt = 0

  async function carry(from: Socket, to: Socket, takesMs: (bytes: number) => number): Promise<void> {
    let before: Promise<unknown> = Promise.resolve()
    for await (const piece of from as AsyncIterable<Buffer>) {
      for (let start = 0; start < piece.length; start += packetBytes) {
        const packet = piece.subarray(start, start + packetBytes)
        isFreeAt = Math.max(isFreeAt, performance.now()) + takesMs(packet.length)
        const arrival = sleep(isFreeAt - performance.now() + roundTripMs / 2)
        before = Promise.all([before, arrival]).then(() => to.write(packet))
      }
    }
    await before
    to.end()
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: serverPort, host: "127.0.0.1", noDelay: true })
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on("error", () => undefined).once("close", () => open.delete(socket))
    }
    carry(near, far, () => 0).catch(() => far.destroy())
    carry(far, near, (bytes) => bytes / downBytesPerMs).catch(() => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: portOf(server),
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
