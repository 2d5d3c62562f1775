import cluster, { type Worker } from "node:cluster"
import { AggregatorRegistry } from "prom-client"
import { metrics, platformMetrics } from "./metrics.ts"

interface Question {
  asksMetrics: number
}
interface Answer {
  answersMetrics: number
  text: string | null
}

/** In a worker it answers the process of all workers. */
const all = new AggregatorRegistry()

/** In the process of all workers: gathers the figures of all for the one that is asked for them. */
export function gatherMetrics(): void {
  cluster.on("message", (worker: Worker, message: Partial<Question>) => {
    const { asksMetrics } = message
    if (asksMetrics === undefined) return
    void all
      .clusterMetrics()
      .catch(() => null)
      .then((text) => worker.isConnected() && worker.send({ answersMetrics: asksMetrics, text } satisfies Answer))
  })
}

const asked = new Map<number, (text: string | null) => void>()
let questions = 0

/** In a worker, before the first request. */
export function shareMetrics(): void {
  AggregatorRegistry.setRegistries(metrics)
  process.on("message", ({ answersMetrics, text }: Partial<Answer>) => {
    if (answersMetrics === undefined) return
    asked.get(answersMetrics)?.(text ?? null)
    asked.delete(answersMetrics)
  })
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
  asked.set(questions, resolve)
  process.send?.({ asksMetrics: questions } satisfies Question)
  return (await promise) ?? metrics.metrics()
}
