import { listDisputesEndpoint } from "@tilinta/contract/disputes"
import { listInvoicesEndpoint } from "@tilinta/contract/invoices"
import { listRefundRequestsEndpoint } from "@tilinta/contract/refund-requests"
import { getTransactionEndpoint } from "@tilinta/contract/transactions"
import { managers } from "@tilinta/contract/vocabulary/team"
import { expect, test } from "vitest"

test("whoever hears of a payment, a dispute, an invoice or a request may read it", () => {
  const read = [getTransactionEndpoint, listDisputesEndpoint, listInvoicesEndpoint, listRefundRequestsEndpoint]
  for (const { roles } of read) expect(roles).toEqual(expect.arrayContaining([...managers]))
})
