// The library's front door also loads all of OpenTelemetry's API and what sums up many processes: sixty files.
import Counter from "prom-client/lib/counter.js"
import Gauge from "prom-client/lib/gauge.js"
import eventLoopLag from "prom-client/lib/metrics/eventLoopLag.js"
import gc from "prom-client/lib/metrics/gc.js"
import heapSizeAndUsed from "prom-client/lib/metrics/heapSizeAndUsed.js"
import heapSpacesSizeAndUsed from "prom-client/lib/metrics/heapSpacesSizeAndUsed.js"
import osMemoryHeap from "prom-client/lib/metrics/osMemoryHeap.js"
import processHandles from "prom-client/lib/metrics/processHandles.js"
import processMaxFileDescriptors from "prom-client/lib/metrics/processMaxFileDescriptors.js"
import processOpenFileDescriptors from "prom-client/lib/metrics/processOpenFileDescriptors.js"
import processRequests from "prom-client/lib/metrics/processRequests.js"
import processResources from "prom-client/lib/metrics/processResources.js"
import processStartTime from "prom-client/lib/metrics/processStartTime.js"
import version from "prom-client/lib/metrics/version.js"
import Registry from "prom-client/lib/registry.js"

export { Counter, Gauge }

/** One registry for the process: whoever measures something registers it here, and `/metrics` shows it. */
export const metrics = new Registry()

const usual = [
  ...[eventLoopLag, gc, heapSizeAndUsed, heapSpacesSizeAndUsed, osMemoryHeap, processHandles, processRequests],
  ...[processMaxFileDescriptors, processOpenFileDescriptors, processResources, processStartTime, version],
]
for (const collect of usual) collect(metrics, { eventLoopMonitoringPrecision: 10 })

/** The library's own is what asks for OpenTelemetry. */
const cpuMicros = {
  process_cpu_user_seconds_total: ["Total user CPU time spent in seconds.", () => process.cpuUsage().user],
  process_cpu_system_seconds_total: ["Total system CPU time spent in seconds.", () => process.cpuUsage().system],
  process_cpu_seconds_total: [
    "Total user and system CPU time spent in seconds.",
    () => process.cpuUsage().user + process.cpuUsage().system,
  ],
} as const satisfies Record<string, [string, () => number]>

for (const [name, [help, readMicros]] of Object.entries(cpuMicros)) {
  const counter = new Counter({
    name,
    help,
    registers: [metrics],
    collect() {
      counter.reset()
      counter.inc(readMicros() / 1e6)
    },
  })
}
