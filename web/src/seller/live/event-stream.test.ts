import { expect, test } from "vitest"
import { createEventReader, type StreamEvent } from "./event-stream.ts"

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
