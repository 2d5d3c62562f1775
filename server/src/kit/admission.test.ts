import { expect, test } from "vitest"
import { createAdmission } from "./waiting-line.ts"

/** Work that stays under way until the test ends it. */
function openWork({ fewest = 2, usual = 20, most = 100 } = {}) {
  const admission = createAdmission({ fewest, usual, most, mostWaiting: 10_000 })
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => ends.push(resolve))
  return {
    note: admission.note,
    underWay: () => ends.length,
    async start(count: number) {
      for (let n = 0; n < count; n += 1) void admission.run(work).catch(() => undefined)
      await Promise.resolve()
    },
    async endAll() {
      for (const end of ends.splice(0)) end()
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    },
  }
}

test("while the event loop is on time the usual number comes in, and more as it is used, up to the most", async () => {
  const { start, note, underWay, endAll } = openWork()
  for (let n = 0; n < 9; n += 1) note(19)
  await start(5_000)
  expect(underWay()).toBe(20)
  note(19)
  await endAll()
  expect(underWay()).toBe(24)
  for (let n = 0; n < 20; n += 1) {
    note(19)
    await endAll()
  }
  expect(underWay()).toBe(100)
})

test("while it is late, fewer come in at each reading, but never fewer than the fewest", async () => {
  const { start, note, underWay, endAll } = openWork()
  await start(10)
  note(21)
  await endAll()
  await start(50)
  expect(underWay()).toBe(7)
  note(500)
  await endAll()
  expect(underWay()).toBe(4)
  for (let n = 0; n < 9; n += 1) note(500)
  await endAll()
  expect(underWay()).toBe(2)
})

test("afterwards the limit grows again, to the usual one", async () => {
  const { start, note, underWay, endAll } = openWork({ usual: 10 })
  await start(3)
  note(21)
  await endAll()
  await start(50)
  expect(underWay()).toBe(2)
  note(0)
  await endAll()
  expect(underWay()).toBe(3)
  for (let n = 0; n < 20; n += 1) note(0)
  await endAll()
  expect(underWay()).toBe(10)
})
