import { AggregatorRegistry } from "prom-client"

/** One process's metrics, as its registry gives them as JSON. */
export type MetricsSnapshot = readonly { name: string; type: unknown }[]

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
