import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterEach, beforeEach, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { type AccountId, capital, feeRevenue, pspClearing, sellerAvailable } from "#ledger/accounts"
import { postTransactions, transactionKinds } from "#ledger/post-transactions"
import { createEntry } from "#money/manual-entries/entries"
import { tamper } from "../../../test-support/as-owner.ts"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { createAdmin, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { verifyBooks } from "./check.ts"

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await openSandbox()
  await openPaidCharge(sandbox)
})

afterEach(() => sandbox.close())

const differences = async () => (await verifyBooks(sandbox.db)).differences

/** Balanced and named like a real event, so only the rows that no event left can contradict it. */
async function move(debit: AccountId, credit: AccountId): Promise<void> {
  const event = { kind: "payment-accepted", reference: "E0", sellerId: null, occurredAt: new Date() } as const
  const postings = [{ debit, credit, amountCents: 345 as Cents }]
  await sandbox.db.transaction().execute((tx) => postTransactions(tx, [{ ...event, postings }]))
}

// Both accounts are the platform's own: no seller, payout or refund misses the money.
test("money moved from the platform's fees to its account at the bank is two differences", async () => {
  expect(await differences()).toEqual([])
  const clearing = pspClearing(sandbox.psp.name)

  await move(feeRevenue, clearing)

  expect(await differences()).toEqual(
    expect.arrayContaining([
      { what: `conta ${feeRevenue}, em centavos`, expected: "1500", found: "1155" },
      { what: `conta ${clearing}, em centavos`, expected: "-10000", found: "-9655" },
    ]),
  )
})

test("money moved between the accounts at two banks is a difference of both", async () => {
  const clearing = pspClearing(sandbox.psp.name)

  await move(pspClearing("nenhum"), clearing)

  expect(await differences()).toEqual(
    expect.arrayContaining([
      { what: `conta ${clearing}, em centavos`, expected: "-10000", found: "-9655" },
      { what: "conta psp-clearing:nenhum, em centavos", expected: "0", found: "-345" },
    ]),
  )
})

test("money moved between two sellers, or into capital without an entry, is a difference of each", async () => {
  const { sellerId: other } = await openPaidCharge(sandbox)
  const { sellerId } = await openPaidCharge(sandbox)
  const [from, to] = [sellerAvailable(sellerId), sellerAvailable(other)]
  expect(await differences()).toEqual([])
  await sandbox.db.transaction().execute((tx) =>
    postTransactions(tx, [
      {
        ...{ kind: "payout-returned", reference: "x/1", sellerId: null, occurredAt: new Date() },
        postings: [
          { debit: from, credit: to, amountCents: 345 as Cents },
          { debit: from, credit: capital, amountCents: 5 as Cents },
        ],
      },
    ]),
  )
  expect(await differences()).toEqual(
    expect.arrayContaining([
      { what: `conta ${from}, pelos acontecimentos, em centavos`, expected: "8500", found: "8150" },
      { what: `conta ${to}, pelos acontecimentos, em centavos`, expected: "8500", found: "8845" },
      { what: "conta capital, em centavos", expected: "0", found: "5" },
    ]),
  )
})

test("a posting whose event is not there is named by its key, whatever its kind says", async () => {
  const posting = { debit: pspClearing(sandbox.psp.name), credit: capital, amountCents: 5 as Cents }
  const events = transactionKinds.map((kind) => ({ kind, reference: newId(), sellerId: null, occurredAt: new Date() }))
  const forged = events.map((event) => ({ ...event, postings: [posting] }))
  await sandbox.db.transaction().execute((tx) => postTransactions(tx, forged))
  await tamper(
    sandbox,
    `insert into journal (kind, reference, line, debit_account, credit_account, amount_cents, occurred_at)
    values ('bonus', 'x', 1, 'capital', 'fee-revenue', 1, now())`,
  )
  const told = (await differences()).map(({ what }) => what).join("\n")
  for (const { kind, reference } of [...events, { kind: "bonus", reference: "x" }]) {
    expect(told).toContain(`journal kind=${kind} reference=${reference} line=1 (transação ${kind} ${reference})`)
  }
})

test("a booked entry without its posting, and a second payment of one charge, are named by their keys", async () => {
  const { endToEndId } = await openPaidCharge(sandbox)
  const adminId = await createAdmin(sandbox)
  const entry = { kind: "capital_in", direction: null, amountCents: 700 as Cents, reason: "aporte" } as const
  const rest = { sellerId: null, reference: null, reverses: null, provider: sandbox.psp.name, idempotencyKey: null }
  const { id } = await createEntry(sandbox, { ...entry, ...rest, admin: { id: adminId, address: null } })
  expect(await differences()).toEqual([])
  await tamper(
    sandbox,
    `delete from journal where reference = '${id}'`,
    `create temporary table twin as select * from payments where end_to_end_id = '${endToEndId}'`,
    "update twin set end_to_end_id = 'E-twin'",
    "insert into payments select * from twin",
  )
  const told = (await differences()).map(({ what }) => what).join("\n")
  expect(told).toContain(`manual_entries id=${id}`)
  expect(told).toContain("payments end_to_end_id=E-twin, também pagamento da cobrança")
})
