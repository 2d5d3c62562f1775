import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createWaitingLine, usualDeadlines } from "./waiting-line.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function openLine(mostWaiting = 100) {
  const refused: number[] = []
  const line = createWaitingLine<number>({
    mostWaiting,
    deadlines: usualDeadlines,
    refuse: (waiting, error) => {
      expect(error).toMatchObject({ code: "overloaded", retryAfterSeconds: 1 })
      refused.push(waiting)
    },
  })
  return { line, refused }
}

test("calm, the oldest is served first", () => {
  const { line, refused } = openLine()
  for (const n of [1, 2, 3]) line.add(n)
  expect(line.take(2)).toEqual([1, 2])
  expect([line.length(), refused]).toEqual([1, []])
})

test("a caller whom nobody serves is refused after a second, without another call", () => {
  const { line, refused } = openLine()
  line.add(1)
  vi.advanceTimersByTime(950)
  line.add(2)
  vi.advanceTimersByTime(49)
  expect(refused).toEqual([])
  vi.advanceTimersByTime(1)
  expect([refused, line.length()]).toEqual([[1], 1])
})

test("once a queue has stood for a second, the newest are served first and the rest are refused at once", () => {
  const { line, refused } = openLine()
  line.add(1)
  for (let n = 2; n <= 21; n += 1) {
    vi.advanceTimersByTime(50)
    line.add(n)
  }
  // At 1,000 ms the first has waited too long, and whoever has waited for a tenth of a second goes with it.
  expect(refused).toEqual(Array.from({ length: 19 }, (_, at) => at + 1))
  line.add(22)
  expect(line.take(2)).toEqual([21, 22])
  vi.advanceTimersByTime(50)
  expect([refused.at(-1), line.length()]).toEqual([20, 0])
})

test("an empty queue is calm again", () => {
  const { line, refused } = openLine()
  line.add(1)
  vi.advanceTimersByTime(1_000)
  expect(refused).toEqual([1])
  for (const n of [2, 3]) line.add(n)
  vi.advanceTimersByTime(999)
  expect(line.take(1)).toEqual([2])
  expect(refused).toEqual([1])
})

test("no more wait than there are places for", () => {
  const { line, refused } = openLine(2)
  for (const n of [1, 2, 3]) line.add(n)
  expect([line.length(), refused]).toEqual([2, [3]])
})

test("a caller who was served is not refused later", () => {
  const { line, refused } = openLine()
  for (const n of [1, 2]) line.add(n)
  line.take(2)
  vi.advanceTimersByTime(5_000)
  expect(refused).toEqual([])
})
