import type { Worker } from "node:cluster"
import cluster from "node:cluster"
import { setTimeout as sleep } from "node:timers/promises"
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"

/** One registry for the process: each metric registers here, and `/metrics` shows them all. */
export const metrics = new Registry()

/** The platform's own figures: every process reads the same ones from the database, so they are never added up. */
export const platformMetrics = new Registry()

collectDefaultMetrics({ register: metrics })

export { Counter, Gauge, Histogram }

/** A worker asks for the metrics of all. */
interface Question {
  asksMetrics: number
}
interface Answer {
  answersMetrics: number
  text: string | null
}
/** The process of all workers asks one of them for its own. */
interface OwnQuestion {
  asksOwnMetrics: true
}
interface OwnAnswer {
  ownMetrics: MetricsSnapshot
}

/** Then its former figures stand in for one that is stuck. */
const answerWithinMs = 2_000

/** In the process of all workers: gathers the figures of all for the one that is asked for them. */
export function gatherMetrics(): void {
  const totals = createWorkerTotals()
  const pending = new Map<number, PromiseWithResolvers<void>>()

  function renew(worker: Worker): Promise<void> {
    const asking = pending.get(worker.id) ?? Promise.withResolvers<void>()
    if (!pending.has(worker.id)) worker.send({ asksOwnMetrics: true } satisfies OwnQuestion)
    pending.set(worker.id, asking)
    return asking.promise
  }

  function settle({ id }: Worker): void {
    pending.get(id)?.resolve()
    pending.delete(id)
  }

  async function gather(): Promise<string> {
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true)
    const renewed = Promise.all(running.flatMap((worker) => (worker === undefined ? [] : [renew(worker)])))
    await Promise.race([renewed, sleep(answerWithinMs, undefined, { ref: false })])
    return totals.text()
  }

  cluster.on("message", (worker: Worker, { asksMetrics, ownMetrics }: Partial<Question & OwnAnswer>) => {
    if (ownMetrics !== undefined && !worker.isDead()) totals.note(worker.id, ownMetrics)
    if (ownMetrics !== undefined) settle(worker)
    if (asksMetrics === undefined) return
    void gather()
      .catch(() => null)
      .then((text) => worker.isConnected() && worker.send({ answersMetrics: asksMetrics, text } satisfies Answer))
  })
  cluster.on("exit", (worker) => {
    totals.end(worker.id)
    settle(worker)
  })
}

const waiting = new Map<number, (text: string | null) => void>()
let questions = 0

/** In a worker, before the first request. */
export function shareMetrics(): void {
  process.on("message", ({ answersMetrics, text, asksOwnMetrics }: Partial<Answer & OwnQuestion>) => {
    if (asksOwnMetrics === true) void sendOwn()
    if (answersMetrics === undefined) return
    waiting.get(answersMetrics)?.(text ?? null)
    waiting.delete(answersMetrics)
  })
}

async function sendOwn(): Promise<void> {
  const ownMetrics = await metrics.getMetricsAsJSON()
  if (process.connected) process.send?.({ ownMetrics } satisfies OwnAnswer)
}

/** The text of `/metrics`: of all workers together, where there are several. */
export async function readMetrics(): Promise<string> {
  const own = cluster.isWorker ? await askForAll() : await metrics.metrics()
  return own + (await platformMetrics.metrics())
}

/** The own ones alone when the others don't answer. */
async function askForAll(): Promise<string> {
  questions += 1
  const { promise, resolve } = Promise.withResolvers<string | null>()
  waiting.set(questions, resolve)
  process.send?.({ asksMetrics: questions } satisfies Question)
  return (await promise) ?? metrics.metrics()
}

/** One process's metrics, as its registry gives them as JSON. */
type MetricsSnapshot = readonly { name: string; type: unknown }[]

interface WorkerTotals {
  note(worker: number, snapshot: MetricsSnapshot): void
  /** Its counters stay part of the totals: a counter that falls looks like a restart, and is added up once more. */
  end(worker: number): void
  text(): Promise<string>
}

/** The metrics of several processes as one, each by the newest of its own figures. */
export function createWorkerTotals(): WorkerTotals {
  const newest = new Map<number, MetricsSnapshot>()
  let ended: MetricsSnapshot = []
  return {
    note: (worker, snapshot) => void newest.set(worker, snapshot),
    end(worker) {
      const last = newest.get(worker) ?? []
      newest.delete(worker)
      ended = addUp([ended, last.filter(isCumulative)]).getMetricsAsArray()
    },
    text: () => addUp([...newest.values(), ended]).metrics(),
  }
}

function addUp(snapshots: MetricsSnapshot[]) {
  return AggregatorRegistry.aggregate([...snapshots])
}

/** A gauge measures what is gone with its process. */
function isCumulative({ type }: MetricsSnapshot[number]): boolean {
  return type !== "gauge"
}
