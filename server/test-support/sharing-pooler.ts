import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import pg from "pg"

interface SharingPooler {
  url: string
  close(): Promise<void>
}

const sessionsOfLogin = 2

/** A session of PostgreSQL that is logged in, and its socket without the driver. */
interface Backend {
  socket: Socket
  hear: ((bytes: Buffer) => void) | null
}

/** The sessions of one login. */
interface Lending {
  take(): Promise<Backend>
  giveBack(backend: Backend): void
}

const messageHead = 5

/**
 * PgBouncer in a few lines: any number of clients on few sessions of each login. In transaction mode a client gives its
 * session back with each end of a transaction, and the next one may get it; in session mode when it leaves.
 */
export async function openSharingPooler(url: string, mode: "session" | "transaction"): Promise<SharingPooler> {
  const lendings = new Map<string, Promise<Lending>>()
  const sockets = new Set<Socket>()

  function lendingOf(user: string): Promise<Lending> {
    const known = lendings.get(user) ?? addressOf(url, user).then((address) => openLending(address, sockets))
    lendings.set(user, known)
    known.catch(() => lendings.delete(user))
    return known
  }

  const server = createServer((client) => {
    sockets.add(client)
    serve(client, { mode, lendingOf })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  return {
    url: Object.assign(new URL(url), { port: String(port) }).toString(),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Other users than the address's own are logins of a server, whose passwords are in the database. */
async function addressOf(url: string, user: string): Promise<string> {
  const address = new URL(url)
  if (user === address.username) return url
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const known = await owner.query("select password from server_logins where role_name = $1", [user])
  await owner.end()
  return Object.assign(address, { username: user, password: known.rows[0]?.password ?? "" }).toString()
}

async function openLending(address: string, sockets: Set<Socket>): Promise<Lending> {
  const free = await Promise.all(Array.from({ length: sessionsOfLogin }, () => openBackend(address)))
  const waiting: ((backend: Backend) => void)[] = []
  for (const { socket } of free) sockets.add(socket)
  return {
    async take() {
      return free.pop() ?? new Promise((resolve) => waiting.push(resolve))
    },
    giveBack(backend) {
      backend.hear = null
      const next = waiting.shift()
      if (next === undefined) free.push(backend)
      else next(backend)
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

interface Serving {
  mode: "session" | "transaction"
  lendingOf(user: string): Promise<Lending>
}

/** Lets everybody in, hands messages on as they come, and looks only for what begins and ends a transaction. */
function serve(client: Socket, { mode, lendingOf }: Serving): void {
  let lending: Promise<Lending> | null = null
  let backend: Backend | null = null
  let hasLeft = false
  let unanswered = 0
  let turn: Promise<void> = Promise.resolve()

  const fromClient = splitMessages((type, message) => {
    if (type === "X") client.end()
    else turn = turn.then(() => send(type, message)).catch(() => void client.destroy())
  })

  async function send(type: string, message: Buffer): Promise<void> {
    backend ??= (await (await lending)?.take()) ?? null
    if (backend === null || hasLeft) return release()
    const fromServer = splitMessages((kind, answer) => {
      if (!hasLeft) client.write(answer)
      if (kind !== "Z") return
      unanswered -= 1
      if (unanswered > 0) return
      const isIdle = answer.toString("latin1", messageHead) === "I"
      if (isIdle && (mode === "transaction" || hasLeft)) void release()
      else if (hasLeft) discard()
    })
    backend.hear ??= fromServer
    if (type === "Q" || type === "S") unanswered += 1
    backend.socket.write(message)
  }

  async function release(): Promise<void> {
    const left = backend
    backend = null
    if (left !== null) (await lending)?.giveBack(left)
  }

  /** A session in the middle of a transaction is of no use to the next one. */
  function discard(): void {
    if (backend === null) return
    backend.hear = splitMessages((kind) => {
      if (kind === "Z") void release()
    })
    backend.socket.write(simpleQuery("rollback"))
  }

  client.on("data", (bytes) => {
    if (lending !== null) return fromClient(bytes)
    lending = lendingOf(userOf(bytes))
    lending.then(
      () => client.write(letIn()),
      (error: unknown) => client.end(refusalOf(error)),
    )
  })
  client.on("error", () => undefined)
  client.on("close", () => {
    hasLeft = true
    if (unanswered === 0) discard()
  })
}

/** After the length and the version the first message has names and values, each ended by a zero. */
function userOf(startup: Buffer): string {
  const words = startup.toString("utf8", 8).split("\0")
  return words[words.indexOf("user") + 1] ?? ""
}

/** AuthenticationOk, a key of the pooler's own, ReadyForQuery. */
function letIn(): Buffer {
  const ok = [0x52, 0, 0, 0, 8, 0, 0, 0, 0]
  const key = [0x4b, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 1]
  return Buffer.from([...ok, ...key, 0x5a, 0, 0, 0, 5, 0x49])
}

/** ErrorResponse, as PgBouncer answers whoever can't log in to PostgreSQL. */
function refusalOf(error: unknown): Buffer {
  const fields = ["SFATAL", "VFATAL", "C08P01", `M${error instanceof Error ? error.message : ""}`, "", ""].join("\0")
  return messageOf("E", fields)
}

function simpleQuery(text: string): Buffer {
  return messageOf("Q", `${text}\0`)
}

function messageOf(type: string, body: string): Buffer {
  const head = Buffer.alloc(messageHead)
  head.write(type)
  head.writeInt32BE(Buffer.byteLength(body) + messageHead - 1, 1)
  return Buffer.concat([head, Buffer.from(body)])
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
