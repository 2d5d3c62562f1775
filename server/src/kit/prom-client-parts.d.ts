/** The parts of the library that measuring needs. */
declare module "prom-client/lib/registry.js" {
  import type { Registry } from "prom-client"

  const registry: typeof Registry
  export default registry
}

declare module "prom-client/lib/counter.js" {
  import type { Counter } from "prom-client"

  const counter: typeof Counter
  export default counter
}

declare module "prom-client/lib/gauge.js" {
  import type { Gauge } from "prom-client"

  const gauge: typeof Gauge
  export default gauge
}

declare module "prom-client/lib/metrics/*" {
  import type { Registry } from "prom-client"

  export default function collect(register: Registry, config?: { eventLoopMonitoringPrecision: number }): void
}
