import { expect, test } from "vitest"
import { createStreamSlots } from "./event-streams.ts"

test("each user has so many places, and gets one back when a stream ends", () => {
  const places = createStreamSlots(2)
  const leave = places.take("ana")
  places.take("ana")
  expect(() => places.take("ana")).toThrow("too_many_requests")
  places.take("bia")
  leave()
  leave()
  places.take("ana")
  expect(() => places.take("ana")).toThrow("too_many_requests")
})
