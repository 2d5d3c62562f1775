import { createPublicKey } from "node:crypto"
import type { Psp } from "#psp/psp"
import { createUnreadableEntries } from "#psp/unreadable-entries"
import { createCharge, removeCharge } from "./woovi-charges.ts"
import { createWooviClient, type WooviConfig } from "./woovi-client.ts"
import { findPayout, listPayouts, sendPayout } from "./woovi-payouts.ts"
import { findReceipt, findReceiptsOfCharge, listReceipts } from "./woovi-receipts.ts"
import { findRefund, requestRefund } from "./woovi-refunds.ts"
import { eventsReportedBy, isSignedBy, registerWebhooks } from "./woovi-webhooks.ts"

interface WooviOptions extends WooviConfig {
  name: string
  /** PEM public keys; a holder of a matching private key may send us webhooks. */
  webhookKeys: readonly string[]
}

/** Speaks Woovi's own API (once OpenPix), which isn't the Central Bank's: docs/psp/woovi.md. */
export function createWooviPsp(options: WooviOptions): Psp {
  const { name, log } = options
  const client = createWooviClient(options)
  const unreadable = createUnreadableEntries(log)
  const source = { name, client, log, unreadable }
  const keys = options.webhookKeys.map((pem) => createPublicKey(pem))
  return {
    name,
    label: "Woovi",
    createCharge: (request) => createCharge(client, request),
    removeCharge: (txid) => removeCharge(client, txid),
    findReceiptsOfCharge: (txid) => findReceiptsOfCharge(source, txid),
    findReceipt: (endToEndId) => findReceipt(source, endToEndId),
    listReceipts: (window) => listReceipts(source, window),
    listRefundedReceipts: null,
    isGenuine: (webhook) => isSignedBy(keys, webhook),
    eventsReportedBy,
    registerWebhook: (url) => registerWebhooks(client, url),
    payouts: {
      reportsReturns: false,
      send: (request) => sendPayout(client, request),
      find: (payoutId) => findPayout(client, payoutId),
      list: (window) => listPayouts(client, unreadable, window),
    },
    requestRefund: (request) => requestRefund(client, request),
    findRefund: (refund) => findRefund(client, refund),
    certificateEndsAt: null,
    readBalance: null,
    disputes: null,
    bankTime: client.bankTime,
    takeUnreadable: unreadable.take,
  }
}
