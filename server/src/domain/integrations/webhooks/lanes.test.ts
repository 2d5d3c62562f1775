import { expect, test } from "vitest"
import { createLanes } from "./lanes.ts"

const living = { endpointId: "viva", isFailing: false }
const many = (count: number, endpointId = "viva") => Array.from({ length: count }, () => ({ ...living, endpointId }))

test("an endpoint that got all it might is claimed for again as places are left, also while a claim is under way", () => {
  const lanes = createLanes()
  lanes.take("fast", many(10), [])
  const before = lanes.inFlight()
  expect(lanes.leave("fast", "viva")).toBe(true)
  lanes.take("fast", [], before)
  expect(lanes.leave("fast", "viva")).toBe(true)
  const later = lanes.inFlight()
  expect(lanes.leave("fast", "viva")).toBe(true)
  lanes.take("fast", many(2), later)
  expect(lanes.leave("fast", "viva")).toBe(true)
  lanes.take("fast", [], lanes.inFlight())
  expect(lanes.leave("fast", "viva")).toBe(false)
})

test("slow and failing endpoints share 64 places, and leave the rest to the others", () => {
  const lanes = createLanes()
  for (let number = 0; number < 16; number += 1) lanes.take("patient", many(4, `lenta-${number}`), [])
  expect(lanes.roomIn("patient")).toBe(0)
  expect(lanes.roomIn("fast")).toBe(100)
  lanes.take("fast", many(100), [])
  lanes.take("fast", many(60), [])
  expect(lanes.roomIn("fast")).toBe(32)
  expect(lanes.leave("patient", "lenta-3")).toBe(true)
  expect(lanes.roomIn("patient")).toBe(1)
})
