import { expect, test } from "vitest"
import { createEventReader, pauseBefore, type StreamEvent } from "./follow-seller.ts"

test("each pause is longer than the one before, up to a minute and a little", () => {
  const pauses = [1, 2, 3, 4, 20].map((attempt) => pauseBefore(attempt, null, 0.5))
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 60_000])
  expect(pauseBefore(1000, null, 1)).toBeLessThanOrEqual(75_000)
})

test("clients wait about as long as they were asked to, not all equally long", () => {
  expect(pauseBefore(1, "30", 0.5)).toBe(30_000)
  expect(pauseBefore(1, "30", 0)).not.toBe(pauseBefore(1, "30", 1))
  expect(pauseBefore(1, "Wed, 21 Oct 2026", 0.5)).toBe(1000)
})

function eventsOf(...pieces: string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const read = createEventReader((event) => events.push(event))
  for (const piece of pieces) read(piece)
  return events
}

test("a message is whole wherever the network cut it", () => {
  const text = 'event: ready\ndata: {}\n\nevent: transactions\ndata: {"more":true}\n\n'
  const whole = eventsOf(text)
  expect(whole).toEqual([
    { event: "ready", data: "{}" },
    { event: "transactions", data: '{"more":true}' },
  ])
  expect(eventsOf(...text.split(""))).toEqual(whole)
})

test("heartbeats are no events, and what isn't finished waits", () => {
  expect(eventsOf(": heartbeat\n\n")).toEqual([])
  expect(eventsOf("data: half")).toEqual([])
})
