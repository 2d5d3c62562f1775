import { expect, test } from "vitest"
import { metrics } from "./metrics.ts"

test("the metrics have the process's CPU, memory and event loop under the usual names", async () => {
  const shown = await metrics.metrics()
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(shown)?.[1])
  const [user, system] = [valueOf("process_cpu_user_seconds_total"), valueOf("process_cpu_system_seconds_total")]
  expect(user).toBeGreaterThan(0)
  expect(Math.abs(valueOf("process_cpu_seconds_total") - user - system)).toBeLessThan(1)
  expect(valueOf("process_resident_memory_bytes")).toBeGreaterThan(1_000_000)
  for (const name of ["process_start_time_seconds", "nodejs_eventloop_lag_p99_seconds", "nodejs_active_handles_total"])
    expect(valueOf(name)).toBeGreaterThanOrEqual(0)
  expect(shown).toContain("nodejs_gc_duration_seconds")
  expect(shown).toContain("nodejs_heap_space_size_used_bytes{")
})

test("CPU only ever grows by what was used since", async () => {
  const read = async () => (await metrics.getSingleMetric("process_cpu_seconds_total")?.get())?.values[0]?.value ?? 0
  const before = await read()
  const now = await read()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual((process.cpuUsage().user + process.cpuUsage().system) / 1e6)
})
