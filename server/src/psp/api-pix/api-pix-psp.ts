import type { Psp, PspPayouts } from "#psp/psp"
import { createUnreadableEntries, type UnreadableEntries } from "#psp/unreadable-entries"
import { readBalance } from "./api-pix-balance.ts"
import { createCharge, type Receiver, removeCharge } from "./api-pix-charges.ts"
import { createDisputes } from "./api-pix-disputes.ts"
import { type ApiPixClient, type ApiPixConnection, createApiPixClient } from "./api-pix-http-client.ts"
import { findPayout, listPayouts, sendPayout } from "./api-pix-payouts.ts"
import { findReceipt, findReceiptsOfCharge, listReceipts } from "./api-pix-receipts.ts"
import { findRefund, requestRefund } from "./api-pix-refunds.ts"
import { type CertificateHeader, eventsReportedBy, isGenuine, registerWebhook } from "./api-pix-webhooks.ts"
import type { ApiPixProfile } from "./profile.ts"

export interface ApiPixOptions extends ApiPixConnection {
  name: string
  profile: Omit<ApiPixProfile, "environments">
  receiver: Receiver
  webhookCertHeader: CertificateHeader | null
  /** Takes the place of another system's webhook on the key. */
  replacesWebhook: boolean
}

/** Speaks the Central Bank's API Pix 2.9.0 in one bank's dialect. */
export function createApiPixPsp(options: ApiPixOptions): Psp {
  const { name, profile, receiver, webhookCertHeader, log } = options
  const client = createApiPixClient(options)
  const unreadable = createUnreadableEntries(log)
  const reader = { name, receiverKey: receiver.key, readsMilliseconds: profile.readsMilliseconds, unreadable }
  const { skipsMtlsHeader } = profile
  const { replacesWebhook: replacesOthers } = options
  const headers = skipsMtlsHeader === null ? {} : { [skipsMtlsHeader]: String(webhookCertHeader === null) }
  return {
    name,
    label: profile.label,
    createCharge: (request) => createCharge(client, receiver, request),
    removeCharge: (txid) => removeCharge(client, profile.revisionPath, txid),
    findReceiptsOfCharge: (txid) => findReceiptsOfCharge(client, reader, txid),
    findReceipt: (endToEndId) => findReceipt(client, reader, endToEndId),
    listReceipts: (window) => listReceipts(client, reader, window),
    listRefundedReceipts: (window) => listReceipts(client, reader, window, { devolucaoPresente: "true" }),
    isGenuine: (webhook) => isGenuine(webhookCertHeader, webhook),
    eventsReportedBy,
    registerWebhook: (url) => registerWebhook(client, { receiverKey: receiver.key, url, headers, replacesOthers, log }),
    payouts: payoutsOf(client, unreadable, options),
    requestRefund: (request) => requestRefund(client, request),
    findRefund: (refundName) => findRefund(client, refundName),
    certificateEndsAt: options.certificate?.endsAt ?? null,
    readBalance: balanceOf(client, profile.balance),
    disputes: profile.disputes === null ? null : createDisputes(client, profile.disputes, log),
    bankTime: client.bankTime,
    takeUnreadable: unreadable.take,
  }
}

function balanceOf(client: ApiPixClient, path: string | null): Psp["readBalance"] {
  return path === null ? null : () => readBalance(client, path)
}

function payoutsOf(
  client: ApiPixClient,
  unreadable: UnreadableEntries,
  { profile, receiver }: ApiPixOptions,
): PspPayouts | null {
  const { payouts } = profile
  if (payouts === null) return null
  return {
    reportsReturns: true,
    checksHolder: payouts.checksHolder === true,
    send: (request) => sendPayout(client, payouts, receiver.key, request),
    find: (payoutId) => findPayout(client, payouts, payoutId),
    list: (window) => listPayouts(client, payouts, unreadable, window),
  }
}
