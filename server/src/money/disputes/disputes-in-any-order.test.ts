import { type Cents, feeShareOf } from "@tilinta/contract/vocabulary/money"
import { array, assert, asyncProperty, boolean, constantFrom, integer, record, shuffledSubarray } from "fast-check"
import { afterAll, expect, test } from "vitest"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { verifyLedger } from "#ledger/reads"
import { readSellerBalance, readSellerBlocked } from "#money/payments/reads"
import { recordReportedRefunds } from "#money/refunds/reported"
import { findRefundDifferences } from "#money/refunds/verify-reads"
import { requestWithdrawal } from "#money/withdrawals/request"
import type { PspDispute, PspRefund } from "#psp/psp"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { findDisputeDifferences } from "./list-reads.ts"
import { recordDispute } from "./record.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false })

afterAll(async () => {
  const differences = await Promise.all(
    [verifyLedger, findRefundDifferences, findDisputeDifferences].map((check) => check(sandbox.db)),
  )
  expect(differences.flat()).toEqual([])
  await sandbox.close()
})

const paid = { grossCents: 10_000 as Cents, feeCents: 1_500 as Cents }
const nothing = { grossCents: 0 as Cents, feeCents: 0 as Cents }
const minute = 60_000

interface Story {
  disputed: number
  end: "none" | "accepted" | "rejected"
  inTwo: boolean
}

/** Every notice of the bank about the dispute; older notices have older dates. */
function reportsOf({ disputed, end, inTwo }: Story, endToEndId: string) {
  const openedAt = Date.now()
  const dispute = (state: PspDispute["state"], order: number): PspDispute => ({
    disputeId: endToEndId,
    endToEndId,
    amountCents: disputed as Cents,
    reason: "fraud",
    details: "",
    state,
    respondUntil: null,
    openedAt: new Date(openedAt),
    updatedAt: new Date(openedAt + order * minute),
    closedAt: null,
    analysis: "",
  })
  const reported = [dispute("open", 0), dispute("defended", 1), ...(end === "none" ? [] : [dispute(end, 2)])]
  const first = inTwo ? Math.ceil(disputed / 2) : disputed
  const shares = end === "accepted" ? [first, disputed - first].filter((each) => each > 0) : []
  const debits = shares.map(
    (cents, index): PspRefund => ({
      pspRefundId: `med${index}`,
      state: "completed",
      amountCents: cents as Cents,
      returnId: null,
      reason: null,
      settledAt: null,
      isDispute: true,
    }),
  )
  const receipt = (refunds: PspRefund[]) => [{ ...receiptOf(null, 10_000), endToEndId, refunds }]
  return {
    last: reported.slice(-1),
    happen: [
      ...reported.map((report) => () => recordDispute(sandbox, report)),
      ...debits.map((debit) => async () => void (await recordReportedRefunds(sandbox, receipt([debit])))),
    ],
  }
}

async function withdrawAll(sellerId: string): Promise<void> {
  const amountCents = await readSellerBalance(sandbox.db, sellerId)
  if (amountCents <= 0) return
  await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: newId(),
  }).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
  })
}

const story = record({
  disputed: integer({ min: 1, max: 10_000 }),
  end: constantFrom("none", "accepted", "rejected"),
  inTwo: boolean(),
})

test("in any order of reports and repetitions of a dispute and its debits, the money ends the same", async () => {
  const order = shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
  const again = array(integer({ min: 0, max: 4 }), { maxLength: 3 })
  const run = async (reported: Story, first: number[], repeated: number[], withdrawsAt: number) => {
    const { endToEndId, sellerId } = await openPaidCharge(sandbox)
    const { happen, last } = reportsOf(reported, endToEndId)
    for (const [index, which] of [...first, ...repeated].entries()) {
      if (index === withdrawsAt) await withdrawAll(sellerId)
      await Promise.all([happen[which]?.(), happen[which]?.()])
    }
    for (const report of last) await recordDispute(sandbox, report)
    const withdrawn = await sandbox.db
      .selectFrom("withdrawals")
      .select("amount_cents")
      .where("seller_id", "=", sellerId)
      .execute()
    const net = reported.disputed - feeShareOf(reported.disputed as Cents, paid, nothing)
    const blocked = reported.end === "none" ? net : 0
    const debited = reported.end === "accepted" ? net : 0
    const spent = withdrawn.reduce((sum, row) => sum + row.amount_cents, 0)
    expect(await readSellerBlocked(sandbox.db, sellerId)).toBe(blocked)
    expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500 - blocked - debited - spent)
  }
  await assert(asyncProperty(story, order, again, integer({ min: 0, max: 8 }), run), { numRuns: 25 })
}, 60_000)
