import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import pg from "pg"

interface SharingPooler {
  url: string
  close(): Promise<void>
}

/** A session of PostgreSQL that is logged in, and its socket without the driver. */
interface Backend {
  socket: Socket
  hear: ((bytes: Buffer) => void) | null
}

const sessions = 2
const messageHead = 5

/**
 * PgBouncer in a few lines: any number of clients on two sessions. In transaction mode a client gives its session back
 * with each end of a transaction, and the next one may get it; in session mode when it leaves.
 */
export async function openSharingPooler(url: string, mode: "session" | "transaction"): Promise<SharingPooler> {
  const free = await Promise.all(Array.from({ length: sessions }, () => openBackend(url)))
  const all = [...free]
  const waiting: ((backend: Backend) => void)[] = []

  async function take(): Promise<Backend> {
    return free.pop() ?? new Promise((resolve) => waiting.push(resolve))
  }
  function giveBack(backend: Backend): void {
    backend.hear = null
    const next = waiting.shift()
    if (next === undefined) free.push(backend)
    else next(backend)
  }

  const server = createServer((client) => serve(client, { mode, take, giveBack })).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  return {
    url: Object.assign(new URL(url), { port: String(port) }).toString(),
    async close() {
      for (const { socket } of all) socket.destroy()
      server.close()
    },
  }
}

async function openBackend(url: string): Promise<Backend> {
  const driver = new pg.Client({ connectionString: url })
  driver.on("error", () => undefined)
  await driver.connect()
  const { stream: socket } = (driver as unknown as { connection: { stream: Socket } }).connection
  socket.removeAllListeners("data")
  const backend: Backend = { socket, hear: null }
  socket.on("data", (bytes: Buffer) => backend.hear?.(bytes))
  return backend
}

interface Lending {
  mode: "session" | "transaction"
  take(): Promise<Backend>
  giveBack(backend: Backend): void
}

/** Lets everybody in, hands messages on as they come, and looks only for what begins and ends a transaction. */
function serve(client: Socket, { mode, take, giveBack }: Lending): void {
  let backend: Backend | null = null
  let hasStarted = false
  let unanswered = 0
  let turn: Promise<void> = Promise.resolve()

  const fromClient = splitMessages((type, message) => {
    if (type === "X") client.end()
    else turn = turn.then(() => send(type, message))
  })

  async function send(type: string, message: Buffer): Promise<void> {
    backend ??= await take()
    const fromServer = splitMessages((kind, answer) => {
      client.write(answer)
      if (kind !== "Z") return
      unanswered -= 1
      const isIdle = answer.toString("latin1", messageHead) === "I"
      if (mode === "transaction" && isIdle && unanswered === 0) release()
    })
    backend.hear ??= fromServer
    if (type === "Q" || type === "S") unanswered += 1
    backend.socket.write(message)
  }

  function release(): void {
    if (backend !== null) giveBack(backend)
    backend = null
  }

  client.on("data", (bytes) => {
    if (hasStarted) return fromClient(bytes)
    hasStarted = true
    client.write(letIn())
  })
  client.on("error", () => undefined)
  client.on("close", () => {
    // A session in the middle of a transaction is of no use to the next one.
    if (backend !== null && unanswered === 0) discard(backend, release)
  })
}

function discard(backend: Backend, done: () => void): void {
  backend.hear = splitMessages((kind) => {
    if (kind === "Z") done()
  })
  backend.socket.write(simpleQuery("rollback"))
}

/** AuthenticationOk, a key of the pooler's own, ReadyForQuery. */
function letIn(): Buffer {
  const ok = [0x52, 0, 0, 0, 8, 0, 0, 0, 0]
  const key = [0x4b, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 1]
  return Buffer.from([...ok, ...key, 0x5a, 0, 0, 0, 5, 0x49])
}

function simpleQuery(text: string): Buffer {
  const message = Buffer.alloc(messageHead + text.length + 1)
  message.write("Q")
  message.writeInt32BE(text.length + messageHead, 1)
  message.write(text, messageHead)
  return message
}

function splitMessages(take: (type: string, message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= messageHead && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1)
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      take(message.toString("latin1", 0, 1), message)
    }
  }
}
