import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client"

export { Counter, Gauge }

/** One registry for the process: each metric registers here, and `/metrics` shows them all. */
export const metrics = new Registry()

collectDefaultMetrics({ register: metrics })
