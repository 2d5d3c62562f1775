import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"

export { Counter, Gauge, Histogram }

/** One registry for the process: each metric registers here, and `/metrics` shows them all. */
export const metrics = new Registry()

/** The platform's own figures: every process reads the same ones from the database, so they are never added up. */
export const platformMetrics = new Registry()

collectDefaultMetrics({ register: metrics })
