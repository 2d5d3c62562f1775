import cluster, { type Worker } from "node:cluster"
import { setTimeout as sleep } from "node:timers/promises"
import { metrics, platformMetrics } from "./metrics.ts"
import { createWorkerTotals, type MetricsSnapshot } from "./worker-totals.ts"

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
  const asked = new Map<number, PromiseWithResolvers<void>>()

  function renew(worker: Worker): Promise<void> {
    const asking = asked.get(worker.id) ?? Promise.withResolvers<void>()
    if (!asked.has(worker.id)) worker.send({ asksOwnMetrics: true } satisfies OwnQuestion)
    asked.set(worker.id, asking)
    return asking.promise
  }

  function settle({ id }: Worker): void {
    asked.get(id)?.resolve()
    asked.delete(id)
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
    if (asksOwnMetrics === true) void tellOwn()
    if (answersMetrics === undefined) return
    waiting.get(answersMetrics)?.(text ?? null)
    waiting.delete(answersMetrics)
  })
}

async function tellOwn(): Promise<void> {
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
