import type { Cents } from "@tilinta/contract/vocabulary/money"
import { beforeEach, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import type { PaymentReceived, PspWindow } from "#psp/psp"
import { createReceiptLists, type ReportedReceipt } from "./follow-receipts.ts"

const start = new Date("2026-11-21T12:00:00.123Z")

let now: Date
let queried: PspWindow[]
let pages: (() => PaymentReceived[])[]

beforeEach(() => {
  now = start
  queried = []
  pages = []
})

const psp = {
  async *listReceipts(window: PspWindow) {
    queried.push(window)
    for (const page of pages) yield page()
  },
}

const openLists = () => createReceiptLists({ psp, clock: { now: () => now }, log: createLog("silent") })

const ids = (count: number, first = 0) => Array.from({ length: count }, (_, at) => `E${first + at}`)

function reported(endToEndIds: string[], reportedAt: Date | null = start): ReportedReceipt[] {
  return endToEndIds.map((endToEndId) => ({ kind: "receipt", endToEndId, reportsRefunds: false, reportedAt }))
}

function page(endToEndIds: string[]): () => PaymentReceived[] {
  const receipt = { provider: "bank", txid: null, amountCents: 100 as Cents, paidAt: start, refunds: [] }
  return () => endToEndIds.map((endToEndId) => ({ ...receipt, endToEndId }))
}

test("listed receipts are found page by page, until none is missing", async () => {
  let isReadOn = false
  const third = () => {
    isReadOn = true
    return []
  }
  pages = [page(ids(20)), page(ids(20, 20)), third]
  const found = await openLists().find(reported(ids(40)))
  expect([...found.keys()]).toEqual(ids(40))
  expect(isReadOn).toBe(false)
  expect(found.get("E7")?.amountCents).toBe(100)
  expect(queried).toEqual([{ from: start, to: new Date(start.getTime() + 1), isNarrow: true }])
})

test("receipts that the list lacks, or with an impossible time, aren't found", async () => {
  pages = [page(ids(10))]
  const lists = openLists()
  const forged = reported(["X1", "X2"])
  const liars = [
    ...reported(ids(8, 20), new Date(0)),
    ...reported(ids(8, 30), secondsAfter(start, 3600)),
    ...reported(["N"], null),
  ]
  expect([...(await lists.find([...reported(ids(10)), ...forged, ...liars])).keys()]).toEqual(ids(10))
  expect(queried).toHaveLength(1)
})

test("a few receipts are not worth a list", async () => {
  expect((await openLists().find(reported(ids(7)))).size).toBe(0)
  expect(queried).toEqual([])
})

test("receipts listed before their report are cached for some seconds", async () => {
  pages = [page(ids(20))]
  const lists = openLists()
  await lists.find(reported(ids(10)))
  now = secondsAfter(start, 9)
  expect([...(await lists.find(reported(["E15"]))).keys()]).toEqual(["E15"])
  now = secondsAfter(start, 11)
  expect((await lists.find(reported(["E16"]))).size).toBe(0)
  expect(queried).toHaveLength(1)
})

test("an endless list without the wanted receipts is aborted, and all are queried singly for a minute", async () => {
  let read = 0
  pages = Array.from({ length: 1_000 }, () => () => {
    read += 1
    return []
  })
  const lists = openLists()
  expect((await lists.find(reported(ids(30)))).size).toBe(0)
  expect(read).toBe(3)
  pages = [page(ids(30))]
  expect((await lists.find(reported(ids(30)))).size).toBe(0)
  now = secondsAfter(start, 61)
  expect((await lists.find(reported(ids(30), now))).size).toBe(30)
})

test("a failing list returns what it had, throws nothing, and is paused for a minute", async () => {
  const failing = () => {
    throw new Error("503")
  }
  pages = [failing]
  const lists = openLists()
  expect((await lists.find(reported(ids(30)))).size).toBe(0)
  pages = [page(ids(30))]
  expect((await lists.find(reported(ids(30)))).size).toBe(0)
  now = secondsAfter(start, 61)
  expect((await lists.find(reported(ids(30), now))).size).toBe(30)
})
