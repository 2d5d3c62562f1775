import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { createLog } from "#kit/log"
import { scheduleJob } from "./schedule-job.ts"

const log = createLog("silent")

test("it never runs twice at once, and a wake during a run leads to one more", async () => {
  let running = 0
  let most = 0
  let runs = 0
  const job = scheduleJob({
    name: "test",
    everyMs: 60_000,
    log,
    async run() {
      running += 1
      runs += 1
      most = Math.max(most, running)
      await sleep(20)
      running -= 1
    },
  })
  for (let i = 0; i < 10; i++) job.wake()
  expect(job.isRunning()).toBe(true)
  await expect.poll(() => runs).toBe(2)
  await sleep(100)
  expect(job.isRunning()).toBe(false)
  await job.stop()
  expect({ most, runs }).toEqual({ most: 1, runs: 2 })
})

test("a failed run doesn't end the schedule", async () => {
  let runs = 0
  const job = scheduleJob({
    name: "test",
    everyMs: 10,
    log,
    async run() {
      runs += 1
      throw new Error("broken")
    },
  })
  await expect.poll(() => runs).toBeGreaterThan(2)
  await job.stop()
})

test("stopping waits for the run under way and starts no other", async () => {
  let isDone = false
  let runs = 0
  const job = scheduleJob({
    name: "test",
    everyMs: 5,
    log,
    async run() {
      runs += 1
      await sleep(50)
      isDone = true
    },
  })
  await job.stop()
  expect({ isDone, runs }).toEqual({ isDone: true, runs: 1 })
  job.wake()
  await sleep(20)
  expect(runs).toBe(1)
})
