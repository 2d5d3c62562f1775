import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { reconcileDisputes } from "#money/disputes/record"
import { approveEntry, createEntry } from "#money/manual-entries/entries"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import { returnUnmatchedPayment } from "#money/unmatched-payments/return"
import { dismissPageReport } from "#selling/page-reports/decide"
import { listPageReports, reportPage } from "#selling/page-reports/reports"
import { asOwner } from "../../../test-support/as-owner.ts"
import { openPaidCharge, receiveStray } from "../../../test-support/paid-charges.ts"
import { createAdmin, createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { contest } from "../../../test-support/test-disputes.ts"
import { readPendingCounts } from "./reads.ts"

const sandbox = await openSandbox()
const [adminId, otherId] = [await createAdmin(sandbox), await createAdmin(sandbox)]
const admin = { id: adminId, address: null }

afterAll(() => sandbox.close())

const count = (id = adminId) => readPendingCounts(sandbox.db, id, sandbox.clock.now())
const none = { unmatchedPayments: 0, disputes: 0, pageReports: 0, approvals: 0, manualEntries: 0 }

test("each queue counts what waits, and nothing once it is decided", async () => {
  expect(await count()).toEqual(none)

  await receiveStray(sandbox, { valor: "12.34" })
  await reconcileReceipts(sandbox)
  const page = await createPage(sandbox, { sellerId: await createSeller(sandbox) })
  await reportPage(sandbox, { link: page.uniqueLink, reason: "scam", network: "203.0.113.7" })
  const sale = await openPaidCharge(sandbox)
  await contest(sandbox, sale.endToEndId)
  await reconcileDisputes(sandbox)
  expect(await count()).toEqual({ ...none, unmatchedPayments: 1, disputes: 1, pageReports: 1 })

  const { payments } = await listUnmatchedPayments(sandbox.db, { statuses: ["open"] }, { offset: 0, limit: 1 })
  await returnUnmatchedPayment(sandbox, { id: payments[0]?.id ?? "", admin, adminNotes: "" })
  const { reports } = await listPageReports(sandbox, { filter: "open", limit: 1 })
  await dismissPageReport(sandbox, { id: reports[0]?.id ?? "", admin })
  await asOwner(sandbox, "update disputes set state = 'defended'")
  expect(await count()).toEqual(none)
})

test("of what two people must want, each is told of the other's requests alone", async () => {
  const entry = await createEntry(sandbox, {
    ...{ admin, idempotencyKey: null, provider: sandbox.psp.name, kind: "capital_in", amountCents: 100 as Cents },
    ...{ reason: "Aporte", sellerId: null, direction: null, reference: null, reverses: null },
  })
  const now = sandbox.clock.now()
  await sandbox.db
    .insertInto("second_approvals")
    .values({
      ...{ id: entry.id, act: "setting.change", subject_id: "PLATFORM_NAME", subject_name: "PLATFORM_NAME" },
      ...{ changes: "[]", digest: Buffer.alloc(32), asked_by: otherId, asked_at: now, mac: null },
      expires_at: new Date(now.getTime() + 3_600_000),
    })
    .execute()
  expect(await count()).toEqual({ ...none, approvals: 1 })
  expect(await count(otherId)).toEqual({ ...none, manualEntries: 1 })
  await approveEntry(sandbox, { id: entry.id, admin: { id: otherId, address: null } })
  expect(await count(otherId)).toEqual(none)
})
