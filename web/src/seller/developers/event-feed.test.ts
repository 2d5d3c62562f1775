import type { EventView } from "@tilinta/contract/events"
import { expect, test } from "vitest"
import { mostShown, withNewer, withOlder } from "./event-feed.ts"

/** Events as the API answers them, oldest first. */
function events(first: number, last: number): EventView[] {
  return Array.from({ length: last - first + 1 }, (_, index) => ({ sequence: first + index }) as EventView)
}

const numbers = (shown: readonly EventView[]) => shown.map(({ sequence }) => sequence)

test("new events stand before those known, each once", () => {
  const shown = withNewer([], events(4, 6))
  expect(numbers(shown)).toEqual([6, 5, 4])
  expect(numbers(withNewer(shown, events(5, 8)))).toEqual([8, 7, 6, 5, 4])
  expect(numbers(withNewer(shown, []))).toEqual([6, 5, 4])
})

test("events that don't join those known replace them", () => {
  const shown = withNewer([], events(1, 3))
  expect(numbers(withNewer(shown, events(4, 5)))).toEqual([5, 4, 3, 2, 1])
  expect(numbers(withNewer(shown, events(9, 10)))).toEqual([10, 9])
})

test("a screen that stays open keeps so many, or as many as its reader asked for", () => {
  const shown = withNewer(withNewer([], events(101, 120)), events(121, 200))
  expect([shown.length, shown[0]?.sequence]).toEqual([mostShown, 200])
  const more = withOlder(shown, events(131, 150))
  const later = withNewer(more, events(201, 202))
  expect([more.length, later.length, later[0]?.sequence, later.at(-1)?.sequence]).toEqual([70, 70, 202, 133])
})

test("older events stand behind, each once, also when the oldest that is kept is known", () => {
  const shown = withNewer([], events(20, 22))
  expect(numbers(withOlder(shown, events(18, 19)))).toEqual([22, 21, 20, 19, 18])
  expect(numbers(withOlder(shown, events(20, 22)))).toEqual([22, 21, 20])
})
