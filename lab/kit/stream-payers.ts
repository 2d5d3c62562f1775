import { connect, type Socket } from "node:net"
import { payer } from "./payers.ts"

/** Payers waiting on streams, in a process started by `fork`. They record when they hear 'pago'. */
export type PayersWish = { kind: "open"; port: number; count: number } | { kind: "close" } | { kind: "heard" }

export interface Heard {
  /** Payers whose stream has sent something. */
  open: number
  /** Wall-clock milliseconds by the payer's number; 0 for those not yet notified. */
  paidAtMs: number[]
}

const atOnce = 100
const sockets: Socket[] = []
let paidAtMs = new Float64Array(0)
let open = 0

process.on("message", ({ id, wish }: { id: number; wish: PayersWish }) => {
  follow(wish).then(
    (heard) => process.send?.({ id, heard }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  )
})
process.on("disconnect", () => process.exit(0))

async function follow(wish: PayersWish): Promise<Heard | null> {
  if (wish.kind === "heard") return { open, paidAtMs: [...paidAtMs] }
  if (wish.kind === "close") {
    for (const socket of sockets.splice(0)) socket.destroy()
    open = 0
    return null
  }
  if (paidAtMs.length < wish.count) paidAtMs = new Float64Array(wish.count)
  for (let first = 0; first < wish.count; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, wish.count - first) }, (_, at) => first + at)
    await Promise.all(numbers.map((n) => openStream(wish.port, n)))
  }
  return null
}

/** Settles at the stream's first status event. */
function openStream(port: number, n: number): Promise<void> {
  const { path, headers } = payer(n)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    let hasBegun = false
    const socket = connect(port, "127.0.0.1")
    sockets.push(socket)
    socket.on("error", reject)
    socket.on("close", () => reject(new Error("the server ended a stream")))
    socket.write(`GET ${path}/stream HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n${lines.join("")}\r\n`)
    socket.on("data", (chunk: Buffer) => {
      if (chunk.includes('"pago"')) paidAtMs[n] ||= performance.timeOrigin + performance.now()
      if (hasBegun || !chunk.includes("data: ")) return
      hasBegun = true
      open += 1
      resolve()
    })
  })
}
