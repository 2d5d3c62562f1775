import { expect, test } from "vitest"
import { createMicroBatch } from "./micro-batch.ts"

function openBatches(slots = 1, most = 3) {
  const runs: number[][] = []
  const gates: (() => void)[] = []
  const double = createMicroBatch<number, number>({
    most,
    slots,
    async run(items) {
      runs.push([...items])
      await new Promise<void>((resolve) => gates.push(resolve))
      if (items.includes(13)) throw new Error("thirteen")
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
  const { double, runs, open } = openBatches(2)
  const results = [1, 2, 3, 4, 5, 6, 7].map(double)
  await expect.poll(() => runs.length).toBe(2)
  await open()
  await open()
  await open()
  await Promise.all(results)
  expect(runs).toEqual([[1, 2, 3], [4, 5, 6], [7]])
})

test("a bad item fails alone", async () => {
  const { double, open } = openBatches()
  const results = Promise.allSettled([1, 13, 3].map(double))
  for (let run = 0; run < 4; run += 1) await open()
  expect((await results).map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual([2, "failed", 6])
})
