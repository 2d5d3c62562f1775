import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { createLog } from "#kit/log"
import { createShutdown } from "./shutdown.ts"

test("the newest stops first, and the next only after it", async () => {
  const shutdown = createShutdown(createLog("silent"))
  const stopped: string[] = []
  for (const name of ["database", "http"]) {
    shutdown.add({
      name,
      limitMs: 1000,
      stop: async () => {
        await sleep(10)
        stopped.push(name)
      },
    })
  }
  await Promise.all([shutdown.stopAll(), shutdown.stopAll()])
  expect(stopped).toEqual(["http", "database"])
})

test("a part that hangs or fails doesn't keep the others from stopping", async () => {
  const shutdown = createShutdown(createLog("silent"))
  let isStopped = false
  shutdown.add({
    name: "database",
    limitMs: 1000,
    stop: async () => {
      isStopped = true
    },
  })
  shutdown.add({ name: "broken", limitMs: 1000, stop: () => Promise.reject(new Error("broken")) })
  shutdown.add({ name: "hanging", limitMs: 20, stop: () => new Promise(() => undefined) })
  await shutdown.stopAll()
  expect(isStopped).toBe(true)
})
