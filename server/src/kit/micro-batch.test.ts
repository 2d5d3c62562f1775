import { afterAll, expect, test, vi } from "vitest"
import { DomainError } from "./errors.ts"
import { callsWaiting, createMicroBatch } from "./micro-batch.ts"
import { queues, usualDeadlines } from "./waiting-line.ts"

const patient = queues.deadlines

queues.deadlines = usualDeadlines

afterAll(() => {
  queues.deadlines = patient
})

interface Overrides {
  slots?: number
  most?: number
  mostWaiting?: number
  patienceMs?: number
  spacingMs?: number
  perTurn?: number
  callers?: "new" | "admitted" | "none"
}

function openBatches({
  slots = 1,
  most = 3,
  mostWaiting = 100,
  callers = "new",
  patienceMs = 0,
  spacingMs = 0,
  perTurn = 100,
}: Overrides = {}) {
  const runs: number[][] = []
  const gates: (() => void)[] = []
  const double = createMicroBatch<number, number>({
    most,
    slots,
    mostWaiting,
    callers,
    patienceMs,
    spacingMs,
    perTurn,
    failsAll: (error) => error instanceof RangeError,
    async run(items) {
      runs.push([...items])
      await new Promise<void>((resolve) => gates.push(resolve))
      if (items.includes(13)) throw new Error("thirteen")
      if (items.includes(99)) throw new RangeError("nobody is there")
      return items.map((item) => item * 2)
    },
  })
  const open = async () => {
    await expect.poll(() => gates.length).toBeGreaterThan(0)
    gates.shift()?.()
  }
  return { double, runs, open }
}

test("a lone item runs at once, and what comes meanwhile goes together, up to the limit", async () => {
  const { double, runs, open } = openBatches()
  const first = double(1)
  await expect.poll(() => runs).toEqual([[1]])
  const rest = [2, 3, 4, 5].map(double)
  await open()
  expect(await first).toBe(2)
  await open()
  await open()
  expect(await Promise.all(rest)).toEqual([4, 6, 8, 10])
  expect(runs).toEqual([[1], [2, 3, 4], [5]])
})

test("no more runs than slots are under way, and what arrives in one tick goes together", async () => {
  const { double, runs, open } = openBatches({ slots: 2 })
  const results = [1, 2, 3, 4, 5, 6, 7].map(double)
  await expect.poll(() => runs.length).toBe(2)
  await open()
  await open()
  await open()
  await Promise.all(results)
  expect(runs).toEqual([[1, 2, 3], [4, 5, 6], [7]])
})

test("a caller beyond the queue length is refused at once, and accepted again afterwards", async () => {
  const { double, open } = openBatches({ slots: 1, mostWaiting: 2 })
  const before = callsWaiting()
  const first = double(1)
  await expect.poll(() => callsWaiting() - before).toBe(0)
  const waiting = [double(2), double(3)]
  expect(callsWaiting() - before).toBe(2)
  await expect(double(4)).rejects.toMatchObject({ code: "overloaded", retryAfterSeconds: 1 })
  await open()
  await open()
  expect(await Promise.all([first, ...waiting])).toEqual([2, 4, 6])
  const later = double(5)
  await open()
  expect(await later).toBe(10)
})

test("callers who wait for a second behind a batch that hangs are refused, and no later batch works for them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  try {
    const { double, runs, open } = openBatches({ slots: 1 })
    const before = callsWaiting()
    const first = double(1)
    await vi.waitUntil(() => runs.length === 1)
    const late = Promise.allSettled([double(2), double(3)])
    vi.advanceTimersByTime(1_000)
    for (const each of await late) {
      expect(each).toMatchObject({ status: "rejected", reason: { code: "overloaded", retryAfterSeconds: 1 } })
    }
    expect(callsWaiting()).toBe(before)
    await open()
    const next = double(4)
    await open()
    expect([await first, await next, runs]).toEqual([2, 8, [[1], [4]]])
  } finally {
    vi.useRealTimers()
  }
})

test("callers who were admitted before wait as long as a batch hangs", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  try {
    const { double, runs, open } = openBatches({ slots: 1, callers: "admitted" })
    const results = [double(1)]
    await vi.waitUntil(() => runs.length === 1)
    results.push(double(2))
    vi.advanceTimersByTime(60_000)
    await open()
    await open()
    expect(await Promise.all(results)).toEqual([2, 4])
  } finally {
    vi.useRealTimers()
  }
})

test("a batch that is refused for overload fails without another try", async () => {
  const overloaded = new DomainError("overloaded", { retryAfterSeconds: 1 })
  let runs = 0
  const refused = createMicroBatch<number, number>({
    most: 3,
    slots: 1,
    async run() {
      runs += 1
      throw overloaded
    },
  })
  const results = await Promise.allSettled([1, 2, 3].map(refused))
  expect(results.map((each) => (each.status === "rejected" ? each.reason : null))).toEqual([
    overloaded,
    overloaded,
    overloaded,
  ])
  expect(runs).toBe(1)
})

test("a second batch waits for the first until it is full", async () => {
  const { double, runs, open } = openBatches({ slots: 2, patienceMs: 600_000 })
  const before = callsWaiting()
  const results = [double(1)]
  await expect.poll(() => runs).toEqual([[1]])
  results.push(double(2), double(3))
  expect(callsWaiting() - before).toBe(2)
  expect(runs).toEqual([[1]])
  results.push(double(4))
  await expect.poll(() => runs).toEqual([[1], [2, 3, 4]])
  await open()
  await open()
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8])
})

test("a second batch doesn't wait for a first that takes long", async () => {
  const { double, runs, open } = openBatches({ slots: 2, patienceMs: 1 })
  const results = [double(1)]
  await expect.poll(() => runs).toEqual([[1]])
  results.push(double(2))
  await expect.poll(() => runs).toEqual([[1], [2]])
  await open()
  await open()
  expect(await Promise.all(results)).toEqual([2, 4])
})

test("after a batch of several the next one waits until it is full, or for the spacing", async () => {
  const { double, runs, open } = openBatches({ slots: 2, spacingMs: 600_000 })
  const first = [1, 2].map(double)
  await expect.poll(() => runs).toEqual([[1, 2]])
  await open()
  expect(await Promise.all(first)).toEqual([2, 4])
  const rest = [double(3)]
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(runs).toEqual([[1, 2]])
  rest.push(double(4), double(5))
  await open()
  expect(await Promise.all(rest)).toEqual([6, 8, 10])

  const spaced = openBatches({ spacingMs: 5, patienceMs: 600_000 })
  const all = [1, 2].map(spaced.double)
  await expect.poll(() => spaced.runs).toEqual([[1, 2]])
  all.push(spaced.double(3))
  await spaced.open()
  await spaced.open()
  expect(await Promise.all(all)).toEqual([2, 4, 6])
})

test("one who comes alone after another starts at once, whatever the spacing", async () => {
  const { double, runs, open } = openBatches({ spacingMs: 600_000 })
  for (const item of [1, 2]) {
    const result = double(item)
    await open()
    expect(await result).toBe(item * 2)
  }
  expect(runs).toEqual([[1], [2]])
})

test("perTurn limits the callers resumed per event-loop turn", async () => {
  const { double, open } = openBatches({ most: 5, perTurn: 2 })
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  const turnOf: number[] = []
  const results = [1, 2, 3, 4, 5].map((n) => double(n).then(() => turnOf.push(turns)))
  setImmediate(count)
  await open()
  await Promise.all(results)
  isOver = true
  const [first = 0] = turnOf
  expect(turnOf.map((turn) => turn - first)).toEqual([0, 0, 1, 1, 2])
})

test("callers who are resumed turn by turn hold up no further batch", async () => {
  const { double, runs, open } = openBatches({ most: 3, perTurn: 1 })
  const first = [1, 2, 3].map(double)
  const runsAtTheLast = first.at(-1)?.then(() => runs.length)
  const second = double(4)
  await open()
  expect(await runsAtTheLast).toBe(2)
  await open()
  expect(await Promise.all([...first, second])).toEqual([2, 4, 6, 8])
})

test("work without callers does not count as waiting calls", async () => {
  const { double, open } = openBatches({ slots: 1, callers: "none" })
  const before = callsWaiting()
  const results = [double(1), double(2)]
  expect(callsWaiting()).toBe(before)
  await open()
  expect([await Promise.all(results), callsWaiting()]).toEqual([[2, 4], before])
})

test("a bad item fails alone", async () => {
  const { double, open } = openBatches()
  const results = Promise.allSettled([1, 13, 3].map(double))
  for (let run = 0; run < 4; run += 1) await open()
  expect((await results).map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual([2, "failed", 6])
})

test("what would fail each alone fails all at once", async () => {
  const { double, runs, open } = openBatches()
  const results = Promise.allSettled([1, 99, 3].map(double))
  await open()
  expect((await results).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
  expect(runs).toHaveLength(1)
})
