import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { createLog } from "#kit/log"
import { createStopList } from "./stop-list.ts"

test("the newest stops first, and the next only after it", async () => {
  const stops = createStopList(createLog("silent"))
  const stopped: string[] = []
  for (const name of ["database", "http"]) {
    stops.add({
      name,
      limitMs: 1000,
      stop: async () => {
        await sleep(10)
        stopped.push(name)
      },
    })
  }
  await Promise.all([stops.stopAll(), stops.stopAll()])
  expect(stopped).toEqual(["http", "database"])
})

test("a part that hangs or fails doesn't keep the others from stopping", async () => {
  const stops = createStopList(createLog("silent"))
  let isStopped = false
  stops.add({
    name: "database",
    limitMs: 1000,
    stop: async () => {
      isStopped = true
    },
  })
  stops.add({ name: "broken", limitMs: 1000, stop: () => Promise.reject(new Error("broken")) })
  stops.add({ name: "hanging", limitMs: 20, stop: () => new Promise(() => undefined) })
  await stops.stopAll()
  expect(isStopped).toBe(true)
})
