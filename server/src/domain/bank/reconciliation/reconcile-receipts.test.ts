import { afterAll, beforeAll, expect, test } from "vitest"
import { saveReceiptsSeenUntil } from "#domain/bank/psp-inbox/psp-connection"
import { secondsAfter } from "#kit/clock"
import type { PspWindow } from "#psp/psp"
import { openSandbox, type Sandbox } from "../../../../test-support/sandbox.ts"
import { reconcileReceipts } from "./reconcile-receipts.ts"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox()
})

afterAll(async () => {
  await sandbox.close()
})

test("the overlap is short, and long for the first poll of every ten minutes and after a downtime", async () => {
  const windows: PspWindow[] = []
  const psp = {
    ...sandbox.psp,
    async *listReceipts(window: PspWindow) {
      windows.push(window)
      yield []
    },
  }
  const pollAt = async (moment: string) => {
    const now = new Date(moment)
    await reconcileReceipts({ ...sandbox, psp, clock: { now: () => now } })
    return secondsAfter(windows.at(-1)?.from ?? now, 0)
      .toISOString()
      .slice(11, 19)
  }
  const seenUntil = new Date("2031-05-05T12:00:05Z")
  await sandbox.db.transaction().execute((tx) => saveReceiptsSeenUntil(tx, psp.name, seenUntil))

  expect(await pollAt("2031-05-05T12:00:20Z")).toBe("11:59:35")
  expect(await pollAt("2031-05-05T12:09:59Z")).toBe("11:59:50")
  expect(await pollAt("2031-05-05T12:10:01Z")).toBe("11:59:59")
  expect(await pollAt("2031-05-05T12:10:16Z")).toBe("12:09:31")
  expect(await pollAt("2031-05-05T15:00:00Z")).toBe("12:00:16")
})
