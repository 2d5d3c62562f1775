import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createSlots, usualDeadlines } from "./waiting-line.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test("never more run at once than there are slots, and all run eventually", async () => {
  const slots = createSlots({ atOnce: 2, mostWaiting: 100 })
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    return 1
  }
  const results = await Promise.all(Array.from({ length: 20 }, () => slots.run(work)))
  expect([results.length, most, slots.underWay()]).toEqual([20, 2, 0])
})

test("a caller who finds no slot within a second is refused, and the next one is served as soon as one is free", async () => {
  const slots = createSlots({ atOnce: 1, mostWaiting: 100, deadlines: usualDeadlines })
  const { promise: opened, resolve: open } = Promise.withResolvers<string>()
  const running = slots.run(() => opened)
  const late = slots.run(async () => "never")
  const [refusal] = await Promise.all([Promise.allSettled([late]), vi.advanceTimersByTimeAsync(1_000)])
  expect(refusal).toMatchObject([{ reason: { code: "overloaded", retryAfterSeconds: 1 } }])
  const waiting = slots.run(async () => "waited")
  expect(slots.waiting()).toBe(1)
  open("first")
  expect([await running, await waiting]).toEqual(["first", "waited"])
})

test("when the queue is full the next caller is refused, and accepted once there is a free place", async () => {
  const slots = createSlots({ atOnce: 1, mostWaiting: 1 })
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const running = slots.run(() => opened)
  const waiting = slots.run(async () => "waited")
  await expect(slots.run(async () => "never")).rejects.toMatchObject({ code: "overloaded" })
  open()
  await running
  expect(await waiting).toBe("waited")
  expect(await slots.run(async () => "later")).toBe("later")
})

test("work that fails releases its slot", async () => {
  const slots = createSlots({ atOnce: 1, mostWaiting: 1 })
  await expect(slots.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken")
  expect(await slots.run(async () => "next")).toBe("next")
})

test("a lower limit lets nobody in until enough have left", async () => {
  let limit = 2
  const slots = createSlots({ atOnce: () => limit, mostWaiting: 10 })
  await slots.enter()
  await slots.enter()
  limit = 1
  const entered: string[] = []
  void slots.enter().then(() => entered.push("third"))
  slots.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(entered).toEqual([])
  slots.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(entered).toEqual(["third"])
})
