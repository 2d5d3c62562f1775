import type { ServerResponse } from "node:http"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { describe, expect, test } from "vitest"
import { newTxid } from "#kit/ids"
import { createLog } from "#kit/log"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"

const HOUR_MS = 3_600_000
const stampOf = (missingHours: number, ago = 0) => new Date(Date.now() - ago - missingHours * HOUR_MS).toISOString()
const requestOf = (txid: string) => ({ txid, amountCents: 100 as Cents, expiresInSeconds: 3600, description: "" })

interface Zones {
  /** Hours that are missing in what the bank writes: of the answer to a creation, and of everything else. */
  created?: number
  listed: number
  /** Whether the window of a list counts in the bank's wrong time. */
  filtersSo?: boolean
}

/** A bank that stamps in another zone, and knows each charge of ours and one receipt of two minutes ago. */
async function bankOf(zones: Zones) {
  const state = { created: zones.listed, filtersSo: true, ...zones }
  const lines: Record<string, unknown>[] = []
  const windows: { from: Date; to: Date }[] = []
  const bornMs = new Map<string, number>()
  const receipt = () => ({ endToEndId: "E1", txid: "a", valor: "1.00", horario: stampOf(state.listed, 120_000) })
  const chargeOf = (txid: string, hours: number) => ({
    txid,
    status: "ATIVA",
    valor: { original: "1.00" },
    pixCopiaECola: "000201",
    calendario: { criacao: stampOf(hours, Date.now() - (bornMs.get(txid) ?? Date.now())), expiracao: 3600 },
  })
  const answer = (
    { method, url }: { method?: string | undefined; url?: string | undefined },
    response: ServerResponse,
  ) => {
    const [, , txid = ""] = url?.split("/") ?? []
    if (url?.startsWith("/cob/") === true) {
      if (method === "PUT") bornMs.set(txid, bornMs.get(txid) ?? Date.now())
      if (method === "PATCH") return reply(response, 400, { title: "Cobrança expirada" })
      return reply(response, 200, chargeOf(txid, method === "PUT" ? state.created : state.listed))
    }
    if (url?.startsWith("/pix?") !== true) return reply(response, 200, receipt())
    const query = new URL(url, "http://bank").searchParams
    const window = { from: new Date(query.get("inicio") ?? ""), to: new Date(query.get("fim") ?? "") }
    windows.push(window)
    const at = new Date(Date.now() - 120_000 - (state.filtersSo ? state.listed : 0) * HOUR_MS)
    reply(response, 200, { pix: window.from <= at && at <= window.to ? [receipt()] : [] })
  }
  const log = createLog("info", {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  })
  const bank = await bankThat(answer, { log })
  const create = async (at = new Date()) => {
    const txid = newTxid(at)
    bornMs.set(txid, at.getTime())
    await bank.psp.createCharge(requestOf(txid))
    return txid
  }
  const list = async (window = { from: new Date(Date.now() - 600_000), to: new Date(Date.now() + 60_000) }) => {
    const found = []
    for await (const page of bank.psp.listReceipts(window)) found.push(...page)
    return found
  }
  return { ...bank, state, lines, windows, bornMs, create, list }
}

const secondsAgo = (moment: Date | undefined) => Math.round((Date.now() - (moment?.getTime() ?? 0)) / 1000)

describe("a bank that writes Brasília's time with a Z", () => {
  test("is noticed when it creates a charge, with an alarm, and its receipts are corrected from then on", async () => {
    const bank = await bankOf({ listed: 3 })
    expect(secondsAgo((await bank.psp.findReceipt("E1"))?.paidAt)).toBeGreaterThan(3 * 3600)
    await bank.create()
    await bank.create()
    expect(bank.lines.filter(({ alarm }) => alarm === "bank_clock_off")).toMatchObject([{ hours: 3 }])
    expect(bank.psp.stampOffset).toEqual({ hours: 3, isNews: true })
    expect(secondsAgo((await bank.psp.findReceipt("E1"))?.paidAt)).toBeLessThan(130)
  })

  test.each([true, false])(
    "the list holds its receipts, whether its window counts so too (%s) or not",
    async (filtersSo) => {
      const bank = await bankOf({ listed: 3, filtersSo })
      await bank.create()
      const [receipt] = await bank.list()
      expect(secondsAgo(receipt?.paidAt)).toBeLessThan(130)
    },
  )

  test("its charges haven't expired three hours early, and a removal that it refuses isn't taken for done", async () => {
    const bank = await bankOf({ listed: 3 })
    const txid = newTxid(new Date(Date.now() - 1_800_000))
    bank.bornMs.set(txid, Date.now() - 1_800_000)
    await expect(bank.psp.removeCharge(txid)).rejects.toThrow("still ATIVA")
    await bank.psp.createCharge(requestOf("a".repeat(32)))
    await expect(bank.psp.removeCharge("a".repeat(32))).rejects.toThrow("still ATIVA")
    const old = newTxid(new Date(Date.now() - 2 * HOUR_MS))
    bank.bornMs.set(old, Date.now() - 2 * HOUR_MS)
    expect(await bank.psp.removeCharge(old)).toBe("removed")
  })

  test("is noticed by an old charge too, also where only its creations are stamped rightly", async () => {
    const bank = await bankOf({ created: 0, listed: 3 })
    const txid = await bank.create(new Date(Date.now() - 60_000))
    expect(bank.psp.stampOffset?.hours).toBe(0)
    await bank.psp.findReceiptsOfCharge(txid)
    expect(bank.psp.stampOffset?.hours).toBe(3)
    await bank.create()
    expect(bank.psp.stampOffset?.hours).toBe(3)
  })

  test("once it stamps rightly, nothing is added any more", async () => {
    const bank = await bankOf({ listed: 3 })
    const txid = await bank.create()
    Object.assign(bank.state, { created: 0, listed: 0 })
    expect(secondsAgo((await bank.psp.findReceipt("E1"))?.paidAt)).toBeLessThan(130)
    await bank.psp.findReceiptsOfCharge(txid)
    expect(bank.psp.stampOffset?.hours).toBe(0)
  })
})

test.each([[-3], [1], [-1], [4], [14]])("%d missing hours are found and added as well", async (hours) => {
  const bank = await bankOf({ listed: hours })
  await bank.create()
  const [receipt] = await bank.list()
  expect(Math.abs(secondsAgo(receipt?.paidAt) - 120)).toBeLessThan(10)
})

test.each([
  ["right", 0],
  ["two minutes behind", 1 / 30],
  ["half an hour behind", 0.5],
  ["two days behind", 48],
])("stamps that are %s are left as they are", async (_what, hours) => {
  const bank = await bankOf({ listed: hours })
  await bank.create()
  expect(bank.psp.stampOffset).toEqual({ hours: 0, isNews: false })
  expect(bank.windows).toEqual([])
})

test("a clock of ours that is hours off, or was when a charge was made, teaches nothing", async () => {
  const bank = await bankOf({ listed: 0 })
  const txid = await bank.create(new Date(Date.now() - 3 * HOUR_MS))
  bank.bornMs.set(txid, Date.now())
  await bank.psp.findReceiptsOfCharge(txid)
  expect(bank.psp.stampOffset).toEqual({ hours: 0, isNews: false })
})
