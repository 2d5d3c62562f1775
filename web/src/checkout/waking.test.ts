import { afterEach, expect, test, vi } from "vitest"
import { inSteps, oncePainted } from "./waking.ts"

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test("each step is done once and in its order, also when a step asks for the next one", () => {
  const done: string[] = []
  const wake = inSteps(
    () => {
      done.push("memory")
      wake(2)
    },
    () => done.push("page"),
  )
  wake(1)
  wake(1)
  wake(2)
  expect(done).toEqual(["memory", "page"])
})

test("asking for the last step runs those before it", () => {
  const done: string[] = []
  const wake = inSteps(
    () => done.push("memory"),
    () => done.push("page"),
  )
  wake(2)
  wake(1)
  expect(done).toEqual(["memory", "page"])
})

test("what waits for a paint is done once after it, and also on a page that is never painted", () => {
  vi.useFakeTimers()
  const frames: (() => void)[] = []
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame))
  const done: string[] = []
  oncePainted(() => done.push("seen"))
  frames[0]?.()
  expect(done).toEqual([])
  vi.advanceTimersByTime(0)
  expect(done).toEqual(["seen"])
  oncePainted(() => done.push("hidden"))
  vi.advanceTimersByTime(1_000)
  frames[1]?.()
  vi.advanceTimersByTime(1_000)
  expect(done).toEqual(["seen", "hidden"])
})
