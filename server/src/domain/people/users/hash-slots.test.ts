import { expect, test } from "vitest"
import { createHashSlots } from "./hash-slots.ts"

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

test("never more run at once than there are slots, and all run eventually", async () => {
  const inSlot = createHashSlots({ atOnce: 2, waiting: 100 })
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return 1
  }
  const results = await Promise.all(Array.from({ length: 20 }, () => inSlot(work)))
  expect(results).toHaveLength(20)
  expect(most).toBe(2)
})

test("when the queue is full the next caller is refused, and accepted once there is room", async () => {
  const inSlot = createHashSlots({ atOnce: 1, waiting: 1 })
  const { opened, open } = gate()
  const running = inSlot(() => opened)
  const waiting = inSlot(async () => "waited")
  await expect(inSlot(async () => "never")).rejects.toMatchObject({ code: "service_unavailable", retryAfterSeconds: 5 })
  open()
  await running
  expect(await waiting).toBe("waited")
  expect(await inSlot(async () => "later")).toBe("later")
})

test("work that fails releases its slot", async () => {
  const inSlot = createHashSlots({ atOnce: 1, waiting: 1 })
  await expect(inSlot(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken")
  expect(await inSlot(async () => "next")).toBe("next")
})
