import type { Histogram, Registry } from "prom-client"

interface Series {
  route: string
  method: string
  status: number
  /** Counts per bucket, not cumulative; the last one lies beyond all bounds. */
  counts: number[]
  sumSeconds: number
}

type Observed = Pick<Series, "route" | "method" | "status">

const name = "http_request_duration_seconds"
const help = "Time from a request's arrival to the end of its reply"
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A standard histogram to its readers, but the library's own checks and sorts the labels of each observation. */
export function createRouteDurations(registry: Registry) {
  const byRoute = new Map<string, Series[]>()

  function seriesOf({ route, method, status }: Observed): Series {
    const ofRoute = byRoute.get(route) ?? []
    const known = ofRoute.find((each) => each.status === status && each.method === method)
    if (known !== undefined) return known
    const series = { route, method, status, counts: [...bounds, Number.POSITIVE_INFINITY].map(() => 0), sumSeconds: 0 }
    byRoute.set(route, [...ofRoute, series])
    return series
  }

  const get = async () => ({
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    values: [...byRoute.values()].flat().flatMap(linesOf),
  })
  registry.registerMetric({ name, help, get } as unknown as Histogram)

  return function observe(observed: Observed, seconds: number): void {
    const series = seriesOf(observed)
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sumSeconds += seconds
  }
}

/** Buckets are cumulative in the output. */
function linesOf({ counts, sumSeconds, ...labels }: Series): object[] {
  let count = 0
  const buckets = counts.map((ofBucket, at) => {
    count += ofBucket
    return { metricName: `${name}_bucket`, labels: { le: bounds[at] ?? "+Inf", ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
