import { describe, expect, test } from "vitest"
import { createLanes, type Place, sideOf, sides } from "./lanes.ts"
import type { Lane, LaneCapacity } from "./rules.ts"

const nobody: { endpointId: string; count: number }[] = []
const many = (count: number, endpointId = "viva", lane: Lane = "fast") =>
  Array.from({ length: count }, () => ({ endpointId, lane }))

function open() {
  let nowMs = 0
  const lanes = createLanes(() => nowMs)
  const capacityIn = (lane: Lane) => lanes.capacities(sideOf(lane)).find((each) => each.lane === lane)?.capacity ?? 0
  return {
    lanes,
    capacityIn,
    pass(ms: number) {
      nowMs += ms
    },
    take: (claimed: ReturnType<typeof many>, inFlight = nobody) =>
      lanes.take(claimed, { capacities: sides.flatMap(lanes.capacities), inFlight, endpointIds: null }),
    /** Takes places until there are no more of them, each for an endpoint of its own, and sends. */
    fill(lane: Lane): Place[] {
      const places: Place[] = []
      while (capacityIn(lane) > 0) {
        const claimed = Array.from({ length: capacityIn(lane) }, (_, at) => ({
          endpointId: `${places.length + at}`,
          lane,
        }))
        places.push(
          ...lanes.take(claimed, { capacities: lanes.capacities(sideOf(lane)), inFlight: nobody, endpointIds: null }),
        )
      }
      for (const place of places) place.begin()
      return places
    },
  }
}

test("an endpoint that got all it might is claimed for again as places are left, also while a claim is under way", () => {
  const { lanes, take } = open()
  const places = take(many(10))
  const before = lanes.inFlight()
  expect(places.pop()?.leave()).toBe("endpoint")
  take([], before)
  expect(places.pop()?.leave()).toBe("endpoint")
  const later = lanes.inFlight()
  expect(places.pop()?.leave()).toBe("endpoint")
  places.push(...take(many(2), later))
  expect(places.pop()?.leave()).toBe("endpoint")
  take([], lanes.inFlight())
  expect(places.pop()?.leave()).toBe("nobody")
})

test("an endpoint that failed rests, so that nothing is claimed for it at once", () => {
  const { take } = open()
  const [place] = take(many(1, "viva", "new"))
  place?.begin()
  place?.end({ isGood: false })
  expect(place?.leave()).toBe("nobody")
})

test("slow, failing and hanging endpoints have 64 places each, however long they take, and take none of the others'", () => {
  const { pass, fill, capacityIn } = open()
  const slow = fill("slow")
  expect([slow.length, fill("failing").length, fill("hanging").length]).toEqual([64, 64, 64])
  pass(60_000)
  expect([capacityIn("slow"), capacityIn("failing"), capacityIn("new"), capacityIn("fast")]).toEqual([0, 0, 64, 100])
  expect(slow[3]?.leave()).toBe("anybody")
  expect(capacityIn("slow")).toBe(1)
})

describe("what isn't answered in the usual time", () => {
  test("gives its place back, and leaves without a claim for it", () => {
    const { lanes, pass, fill, capacityIn } = open()
    const places = fill("fast")
    expect({ places: places.length, patienceMs: lanes.patienceMs() }).toEqual({ places: 256, patienceMs: 300 })
    pass(299)
    expect(capacityIn("fast")).toBe(0)
    pass(1)
    expect({ capacity: capacityIn("fast"), patienceMs: lanes.patienceMs() }).toEqual({
      capacity: 100,
      patienceMs: null,
    })
    expect(places[0]?.leave()).toBe("nobody")
  })

  test("is given up when 512 others wait too, the oldest first, and never within a second", () => {
    const { pass, fill } = open()
    const waiting = [fill("fast")]
    for (let round = 0; round < 2; round += 1) {
      pass(300)
      waiting.push(fill("fast"))
    }
    const givenUp = () => waiting.map((places) => places.filter(({ signal }) => signal.aborted).length)
    pass(399)
    expect(fill("fast")).toEqual([])
    expect(givenUp()).toEqual([0, 0, 0])
    pass(1)
    expect(fill("fast")).toHaveLength(256)
    expect(givenUp()).toEqual([256, 0, 0])
  })

  test("is not late while we ourselves have not sent it, or record what came of it", () => {
    const { lanes, pass, fill, capacityIn, take } = open()
    take(many(10))
    const places = fill("fast")
    for (const place of places) place.end({ isGood: false })
    pass(60_000)
    expect(capacityIn("fast")).toBe(0)
    expect(lanes.patienceMs()).toBe(300)
  })

  test("is measured by the answers that come: where all take long, none is late", () => {
    const { lanes, pass, fill, capacityIn } = open()
    for (let round = 0; round < 3; round += 1) {
      const places = fill("fast")
      pass(290)
      for (const place of places) place.end({ isGood: true })
      for (const place of places) place.leave()
    }
    fill("fast")
    pass(800)
    expect(capacityIn("fast")).toBe(0)
    expect(lanes.patienceMs()).toBeCloseTo(870, 0)
  })
})

describe("next to any number of endpoints that die at once", () => {
  // Waits of a hundred living endpoints, which answer after 20 ms, in a world with a clock of its own.
  const alone = waitsWith(0)

  test.each([6, 600, 6_000])("%i of them delay a living one's p99 by less than 50 ms", (dying) => {
    const { waits, open: most } = waitsWith(dying)
    expect(waits).toHaveLength(alone.waits.length)
    expect(p99Of(waits) - p99Of(alone.waits)).toBeLessThan(50)
    expect(most).toBeLessThan(256 + 64 + 512 + 3 * 64)
  })
})

function p99Of(waits: readonly number[]): number {
  return waits.toSorted((one, other) => one - other)[Math.ceil(waits.length * 0.99) - 1] ?? 0
}

interface Due {
  endpointId: string
  atMs: number
}

/**
 * Three seconds in steps of a millisecond. Living and dying endpoints have 500 events a second each; half of the dying ones
 * have never answered. Claims take the oldest first, as the database does.
 */
function waitsWith(dying: number): { waits: number[]; open: number } {
  let nowMs = 0
  const lanes = createLanes(() => nowMs)
  const failing = new Set<string>()
  const due: Record<Lane, Due[]> = { fast: [], new: [], slow: [], failing: [], hanging: [] }
  const laneOf = (id: string): Lane => {
    if (failing.has(id)) return "hanging"
    return id.startsWith("nova") ? "new" : "fast"
  }
  const waits: number[] = []
  const ends = new Map<number, (() => void)[]>()
  let isWoken = true
  let most = 0
  let openCount = 0
  const end = (afterMs: number, work: () => void) => {
    const at = nowMs + afterMs
    ends.set(at, [...(ends.get(at) ?? []), work])
  }

  function start({ endpointId, atMs }: Due, place: Place): void {
    const isLiving = endpointId.startsWith("viva")
    let hasEnded = false
    most = Math.max(most, (openCount += 1))
    const finish = () => {
      if (hasEnded) return
      hasEnded = true
      openCount -= 1
      if (isLiving) waits.push(nowMs - atMs)
      else failing.add(endpointId)
      place.end({ isGood: isLiving })
      isWoken = place.leave() !== "nobody" || isWoken
    }
    place.begin()
    place.signal.addEventListener("abort", finish)
    end(isLiving ? 20 : 10_000, finish)
  }

  function claim(capacities: readonly LaneCapacity[]): void {
    const inFlight = lanes.inFlight()
    const counts = new Map(inFlight.map(({ endpointId, count }) => [endpointId, count]))
    const claimed = capacities.flatMap(({ lane, capacity, perEndpoint }) => {
      const taken: Due[] = []
      due[lane] = due[lane].filter((each) => {
        if (laneOf(each.endpointId) !== lane) return false
        const count = counts.get(each.endpointId) ?? 0
        if (taken.length === capacity || count >= perEndpoint) return true
        counts.set(each.endpointId, count + 1)
        taken.push(each)
        return false
      })
      if (taken.length === capacity) isWoken = true
      return taken.map((each) => ({ ...each, lane }))
    })
    const places = lanes.take(claimed, { capacities: capacities, inFlight, endpointIds: null })
    for (const [at, each] of claimed.entries()) {
      const place = places[at]
      if (place !== undefined) start(each, place)
    }
  }

  const all = [
    ...Array.from({ length: 100 }, (_, at) => ({ id: `viva-${at}`, everyMs: 200 })),
    ...Array.from({ length: dying }, (_, at) => ({
      ...{ id: at % 2 === 0 ? `nova-${at}` : `morta-${at}`, everyMs: Math.max(200, dying * 2) },
    })),
  ].map((each, at) => ({ ...each, dueAtMs: (at * 7919) % each.everyMs }))
  let wakeAtMs: number | null = null
  for (; nowMs < 3_000; nowMs += 1) {
    for (const endpoint of all) {
      if (endpoint.dueAtMs !== nowMs) continue
      endpoint.dueAtMs += endpoint.everyMs
      due[laneOf(endpoint.id)].push({ endpointId: endpoint.id, atMs: nowMs })
      isWoken = true
    }
    for (const work of ends.get(nowMs) ?? []) work()
    if (wakeAtMs !== null && wakeAtMs <= nowMs) isWoken = true
    while (isWoken) {
      isWoken = false
      for (const side of sides) claim(lanes.capacities(side))
    }
    const patienceMs = lanes.patienceMs()
    if (patienceMs === null) wakeAtMs = null
    else if (wakeAtMs === null || wakeAtMs <= nowMs) wakeAtMs = nowMs + Math.ceil(patienceMs)
  }
  return { waits, open: most }
}
