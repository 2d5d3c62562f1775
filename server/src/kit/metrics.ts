import { collectDefaultMetrics, Registry } from "prom-client"

/** One registry for the process: whoever measures something registers it here, and `/metrics` shows it. */
export const metrics = new Registry()

collectDefaultMetrics({ register: metrics })
