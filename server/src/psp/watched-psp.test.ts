import { expect, test } from "vitest"
import { type Psp, PspError } from "./psp.ts"
import { createContactRecorder, watchPsp } from "./watched-psp.ts"

const now = new Date("2026-11-21T12:00:00Z")
const quiet = { lastContactAt: null, lastFailure: null, lastWebhookAt: null, webhookRegisteredAt: null }

function watch(facets: object) {
  const notes = createContactRecorder({ now: () => now })
  return { notes, psp: watchPsp({ name: "bank", certificateEndsAt: now, payouts: null, ...facets } as Psp, notes) }
}

test("answers are passed on and noted once, and what is no call is left alone", async () => {
  const { notes, psp } = watch({ findReceipt: async () => null, isGenuine: () => true })
  expect([psp.name, psp.certificateEndsAt, psp.payouts, psp.isGenuine({} as never)]).toEqual(["bank", now, null, true])
  expect(notes.take()).toBeNull()
  expect(await psp.findReceipt("E1")).toBeNull()
  expect(notes.take()).toEqual({ ...quiet, lastContactAt: now })
  expect(notes.take()).toBeNull()
})

test("a failure is noted with the call, also of a part, and still thrown; a no is an answer all the same", async () => {
  const failing = (failure: "unavailable" | "rejected") => async () => {
    throw new PspError(failure, "the provider answered 503")
  }
  const { notes, psp } = watch({ payouts: { find: failing("unavailable") }, registerWebhook: failing("rejected") })
  await expect(psp.payouts?.find("x")).rejects.toThrow(PspError)
  const failure = { at: now, call: "payouts.find", message: "the provider answered 503" }
  expect(notes.take()).toEqual({ ...quiet, lastFailure: failure })
  await expect(psp.registerWebhook("x")).rejects.toThrow(PspError)
  expect(notes.take()).toEqual({
    ...quiet,
    lastContactAt: now,
    lastFailure: { ...failure, call: "registerWebhook" },
  })
})

test("a list is recorded page by page; an aborted or failed reader is not the provider's failure", async () => {
  async function* pages() {
    yield [1]
    throw new PspError("unknown", "cut off")
  }
  const { notes, psp } = watch({ listReceipts: pages })
  const read = async (act: () => void) => {
    for await (const _ of psp.listReceipts({ from: now, to: now })) act()
  }
  await expect(
    read(() => {
      throw new Error("ours")
    }),
  ).rejects.toThrow("ours")
  expect(notes.take()).toEqual({ ...quiet, lastContactAt: now })
  await expect(read(() => undefined)).rejects.toThrow("cut off")
  expect(notes.take()).toMatchObject({ lastContactAt: now, lastFailure: { call: "listReceipts", message: "cut off" } })
})

test("a webhook that was registered and one that came are noted", async () => {
  const { notes, psp } = watch({ registerWebhook: async () => undefined })
  await psp.registerWebhook("x")
  notes.webhookReceived()
  expect(notes.take()).toEqual({ ...quiet, lastContactAt: now, webhookRegisteredAt: now, lastWebhookAt: now })
})
