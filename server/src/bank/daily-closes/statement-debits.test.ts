import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterEach, beforeEach, expect, test } from "vitest"
import { importStatement } from "#bank/bank-statements/import"
import { saoPauloDay } from "#kit/clock"
import { txidOf } from "#money/hand-payouts/rules"
import { createEntry } from "#money/manual-entries/entries"
import { approveWithdrawal, completePaidByHand } from "#money/withdrawals/decide"
import { requestWithdrawal } from "#money/withdrawals/request"
import { afterToday } from "../../../test-support/after-today.ts"
import { openPaidCharge, takeByBank } from "../../../test-support/paid-charges.ts"
import { createAdmin, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { closeDays, redoDailyClose } from "./close.ts"
import { getDailyClose, listDailyCloses } from "./daily-close.ts"

let sandbox: Sandbox
let deps: Sandbox
let admin: { id: string; address: null }

beforeEach(async () => {
  sandbox = await openSandbox()
  await sandbox.control({ liquidacaoMs: 0 })
  deps = { ...sandbox, psp: { ...sandbox.psp, payouts: null } }
  admin = { id: await createAdmin(sandbox), address: null }
})

afterEach(() => sandbox.close())

const at = (seconds: number) => withSharedClock(deps, afterToday(seconds))

function told(lines: string[], { seconds }: { seconds: number }) {
  const rows = lines.map((line) => `${saoPauloDay(new Date())};${line}`)
  const file = Buffer.from(["Data;Histórico;Valor", ...rows].join("\n"))
  return importStatement(at(seconds), { file, admin })
}

async function closed() {
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  const close = await getDailyClose(sandbox.db, closes[0]?.id ?? "", 50)
  const named = close.differences
    .filter(({ isMended }) => !isMended)
    .map(({ kind, problem, reference, bankCents }) => [`${kind} ${problem}`, reference, bankCents])
    .toSorted(([, a], [, b]) => String(a).localeCompare(String(b)))
  return { id: close.id, named, comparisons: close.comparisons, count: close.differenceCount }
}

const mailed = () => sandbox.db.selectFrom("mails").select("id").where("dedupe_key", "like", "daily-close:%").execute()

async function paidByHand(sellerId: string, cents: number, daysLater = 0): Promise<string> {
  const seller = { id: sellerId, address: null }
  const pixKey = { kind: "email", key: "ana@loja.example" } as const
  const destination = { method: "pix", pixKey } as const
  const input = { seller, amountCents: cents as Cents, destination, idempotencyKey: null }
  const { id } = await requestWithdrawal(deps, input)
  await approveWithdrawal(deps, { id, admin, adminNotes: "" })
  await completePaidByHand(daysLater === 0 ? deps : at(daysLater * 86_400), { id, admin, adminNotes: "" })
  return id
}

test("what was marked as paid days after the bank paid it explains its debit", async () => {
  const { sellerId } = await openPaidCharge(sandbox)
  await paidByHand(sellerId, 2_600, 20)
  await told(["Pix enviado;-26,00", "Pix enviado;-26,00"], { seconds: -60 })
  await closeDays(at(1))
  expect((await closed()).named).toEqual([["payout missing_with_us", "Pix enviado", 2_600]])
})

test("a debit that is nobody's is a difference of its day by its text, once, however often its file comes", async () => {
  const { sellerId, endToEndId } = await openPaidCharge(sandbox)
  await takeByBank(sandbox, endToEndId, "40.00")
  const id = await paidByHand(sellerId, 3_000)
  const ours = [`Pix ${txidOf(id)};-30,00`, "Devolução Pix;-40,00"]
  const strange = ["Tarifa Pix;-1,00", "Tarifa Pix;-1,00", "Pix enviado Beto;-30,00"]
  await told([...ours, ...strange], { seconds: -60 })
  await closeDays(at(1))
  const expected = [
    ["payout missing_with_us", "Pix enviado Beto", 3_000],
    ["payout missing_with_us", "Tarifa Pix", 100],
    ["payout missing_with_us", "Tarifa Pix (2)", 100],
  ]
  expect(await closed()).toMatchObject({ comparisons: 1, count: 3 })
  expect((await closed()).named).toEqual(expected)
  expect(await mailed()).toHaveLength(1)

  await told([...ours, ...strange], { seconds: 30 })
  await closeDays(at(60))
  expect(await closed()).toMatchObject({ comparisons: 1, count: 3 })
  expect(await mailed()).toHaveLength(1)
})

test("a file that comes after the close names its debits at once; what is booked later names them no more", async () => {
  await openPaidCharge(sandbox)
  await closeDays(at(1))
  expect(await closed()).toMatchObject({ comparisons: 1, named: [] })

  const file = ["Tarifa Pix;-1,00", "Pix enviado Beto;-30,00"]
  await Promise.all([told(file, { seconds: 30 }), told(file, { seconds: 30 })])
  await Promise.all([closeDays(at(60)), closeDays(at(60))])
  const { id, named, comparisons } = await closed()
  expect(comparisons).toBe(2)
  expect(named.map(([, reference]) => reference)).toEqual(["Pix enviado Beto", "Tarifa Pix"])

  const entry = { kind: "bank_tariff", sellerId: null, direction: null, reference: null, reverses: null } as const
  const tariff = { amountCents: 100 as Cents, provider: deps.psp.name, reason: "Extrato", idempotencyKey: null }
  await createEntry(deps, { admin, ...entry, ...tariff })
  await redoDailyClose(at(70), { id, admin })
  await closeDays(at(80))
  expect((await closed()).named.map(([, reference]) => reference)).toEqual(["Pix enviado Beto"])
})

test("a withdrawal that was paid twice explains one debit", async () => {
  const { sellerId } = await openPaidCharge(sandbox)
  const id = await paidByHand(sellerId, 2_500)
  await told([`Pix ${txidOf(id)} a;-25,00`, `Pix ${txidOf(id)} b;-25,00`], { seconds: -60 })
  await closeDays(at(1))
  const { named } = await closed()
  expect(named).toHaveLength(1)
  expect(named[0]).toEqual(["payout missing_with_us", expect.stringContaining(txidOf(id)), 2_500])
})
