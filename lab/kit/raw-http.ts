import { connect, type Socket } from "node:net"

/** A keep-alive connection with one request at a time under way. Answers are parsed no further than needed. */
export interface RawConnection {
  send(request: Buffer, onAnswer: (answer: RawAnswer) => void): void
  close(): void
}

interface RawAnswer {
  /** 0 when the connection was lost. */
  status: number
  /** Head and body as received. */
  text(): string
}

/** Kept to writing and counting bytes, because the load generator shares the cores with what it measures. */
export async function openConnection(port: number): Promise<RawConnection> {
  let socket: Socket
  let onAnswer: ((answer: RawAnswer) => void) | null = null
  let chunks: Buffer[] = []
  let received = 0
  let expected = -1

  function finish(status: number): void {
    const done = onAnswer
    const parts = chunks
    onAnswer = null
    chunks = []
    received = 0
    expected = -1
    done?.({ status, text: () => Buffer.concat(parts).toString() })
  }

  function read(chunk: Buffer): void {
    chunks.push(chunk)
    received += chunk.length
    if (expected === -1) expected = wholeLength(chunks.length === 1 ? chunk : Buffer.concat(chunks))
    if (expected === -1 || received < expected) return
    finish(Number((chunks[0] ?? chunk).toString("latin1", 9, 12)))
  }

  function open(): Promise<void> {
    return new Promise((resolve, reject) => {
      socket = connect(port, "127.0.0.1", resolve).setNoDelay(true)
      socket.on("data", read)
      socket.once("error", reject)
      socket.on("error", () => undefined)
      socket.on("close", () => finish(0))
    })
  }

  await open()
  return {
    send(request, whenAnswered) {
      onAnswer = whenAnswered
      if (!socket.destroyed) {
        socket.write(request)
        return
      }
      open().then(
        () => socket.write(request),
        () => finish(0),
      )
    },
    close: () => socket.destroy(),
  }
}

/**
 * Length of head and body together; -1 while the head is incomplete. A body of unknown length ends with its last chunk.
 */
function wholeLength(head: Buffer): number {
  const end = head.indexOf("\r\n\r\n")
  if (end === -1) return -1
  const length = /\r\ncontent-length: (\d+)/i.exec(head.toString("latin1", 0, end + 2))
  return end + 4 + Number(length?.[1] ?? 0)
}

export function rawRequest(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Buffer {
  const lines = Object.entries({
    host: "127.0.0.1",
    ...headers,
    ...(body !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`)
}

export interface LoadFigures {
  answered: number
  /** Answers other than 2xx, by status; 0 is a lost connection. */
  failed: Record<number, number>
  seconds: number
  /** Milliseconds, unordered. */
  latencies: number[]
}

/** Closed loop: one request under way per connection, until `next` has no more. Lost requests are retried. */
export async function closedLoop(options: {
  port: number
  connections: number
  next(): Buffer | null
}): Promise<LoadFigures> {
  const { port, connections, next } = options
  const figures: LoadFigures = { answered: 0, failed: {}, seconds: 0, latencies: [] }
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const begin = performance.now()
  await Promise.all(opened.map((connection) => sendAll(connection, next, figures)))
  figures.seconds = (performance.now() - begin) / 1000
  for (const connection of opened) connection.close()
  return figures
}

function sendAll(connection: RawConnection, next: () => Buffer | null, figures: LoadFigures): Promise<void> {
  return new Promise((resolve) => {
    function one(request: Buffer | null): void {
      if (request === null) {
        resolve()
        return
      }
      const begin = performance.now()
      connection.send(request, ({ status }) => {
        figures.latencies.push(performance.now() - begin)
        if (status >= 200 && status < 300) figures.answered += 1
        else figures.failed[status] = (figures.failed[status] ?? 0) + 1
        // Retries shortly after a lost connection or a 5xx, as banks do.
        if (status === 0 || status >= 500) setTimeout(() => one(request), 20)
        else one(next())
      })
    }
    one(next())
  })
}
