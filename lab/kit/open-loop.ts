import { openConnection, type RawConnection } from "./raw-http.ts"

interface Options {
  port: number
  connections: number
  perSecond: number
  seconds: number
  /** When every connection is taken, a request waits for one, its latency running, or it is dropped. */
  whenBusy: "wait" | "drop"
  next(): Buffer
}

export interface OpenLoopFigures {
  answered: number
  /** Answers with 503: the server refused what it could not answer soon. */
  refused: number
  refusedP99Ms: number
  /** Other answers than 2xx and 503, by status; 0 is a lost connection or no answer. */
  failed: Record<number, number>
  /** Requests dropped because every connection was taken. */
  dropped: number
  /** Latency of answers with 2xx. */
  p50Ms: number
  p99Ms: number
}

const patienceMs = 30_000

/** Sends requests at a fixed rate, however slow the answers. Latency counts from the moment a request was due. */
export async function openLoop(options: Options): Promise<OpenLoopFigures> {
  const { port, connections, perSecond, seconds, whenBusy, next } = options
  const idle = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const opened = [...idle]
  const waiting: number[] = []
  const failed: Record<number, number> = {}
  const latencies: number[] = []
  const refusals: number[] = []
  let [answered, dropped, underWay, taken] = [0, 0, 0, 0]
  const begin = performance.now()

  function send(connection: RawConnection, dueAt: number): void {
    underWay += 1
    connection.send(next(), ({ status }) => {
      underWay -= 1
      if (status >= 200 && status < 300) {
        answered += 1
        latencies.push(performance.now() - dueAt)
      } else if (status === 503) refusals.push(performance.now() - dueAt)
      else failed[status] = (failed[status] ?? 0) + 1
      const longest = waiting[taken]
      if (longest === undefined) {
        idle.push(connection)
        return
      }
      taken += 1
      send(connection, longest)
    })
  }

  /** Sends the requests due since the last call. */
  function sendDue(from: number, to: number): void {
    for (let each = from; each < to; each += 1) {
      const dueAt = begin + (each / perSecond) * 1000
      const connection = idle.pop()
      if (connection !== undefined) send(connection, dueAt)
      else if (whenBusy === "wait") waiting.push(dueAt)
      else dropped += 1
    }
  }

  const whole = Math.floor(perSecond * seconds)
  await new Promise<void>((resolve) => {
    let due = 0
    function tick(): void {
      const elapsed = performance.now() - begin
      const dueNow = Math.min(whole, Math.floor((elapsed / 1000) * perSecond))
      sendDue(due, dueNow)
      due = dueNow
      const isDone = due === whole && underWay === 0 && taken === waiting.length
      if (isDone || elapsed > seconds * 1000 + patienceMs) resolve()
      else setTimeout(tick, 1)
    }
    tick()
  })
  for (const connection of opened) connection.close()
  const unanswered = underWay + waiting.length - taken
  if (unanswered > 0) failed[0] = (failed[0] ?? 0) + unanswered
  const refused = { refused: refusals.length, refusedP99Ms: quantilesOf(refusals).p99Ms }
  return { answered, ...refused, failed, dropped, ...quantilesOf(latencies) }
}

export function quantilesOf(latencies: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
