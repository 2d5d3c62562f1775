import { afterEach, beforeEach, expect, test } from "vitest"
import type { Cents } from "#kit/money"
import { type AccountId, capital, feeRevenue, pspClearing, sellerAvailable } from "#ledger/accounts"
import { postTransactions } from "#ledger/post-transactions"
import { openPaidCharge } from "../../../../test-support/paid-charges.ts"
import { openSandbox, type Sandbox } from "../../../../test-support/sandbox.ts"
import { verifyBooks } from "./verify-books.ts"

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
