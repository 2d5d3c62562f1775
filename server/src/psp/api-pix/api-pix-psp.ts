import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import { failureOf, usualPausesMs } from "#psp/bounded-http"
import { readClientCertificate, readTrustedAuthorities } from "#psp/client-certificate"
import { nameInBooks, PixSettingError, type PixSettings, settingOf } from "#psp/pix-settings"
import { type Psp, PspError, type PspPayouts } from "#psp/psp"
import { createUnreadableEntries, type UnreadableEntries } from "#psp/unreadable-entries"
import { automaticOf } from "./api-pix-automatic.ts"
import { createCharge, findCharge, type Receiver, removeCharge } from "./api-pix-charges.ts"
import type { DebitAccount } from "./api-pix-debits.ts"
import { createDisputes } from "./api-pix-disputes.ts"
import { dueChargesOf } from "./api-pix-due-charges.ts"
import { type ApiPixClient, type ApiPixConnection, createApiPixClient } from "./api-pix-http-client.ts"
import { findPayout, listPayouts, sendPayout } from "./api-pix-payouts.ts"
import { findReceipt, findReceiptsOfCharge, listReceipts } from "./api-pix-receipts.ts"
import { findRefund, requestRefund } from "./api-pix-refunds.ts"
import { balanceSchema } from "./api-pix-schemas.ts"
import { type CertificateHeader, eventsReportedBy, isGenuine, registerWebhook } from "./api-pix-webhooks.ts"
import { readValue } from "./list-pages.ts"
import type { ApiPixProfile } from "./profile.ts"

export interface ApiPixOptions extends ApiPixConnection {
  name: string
  profile: Omit<ApiPixProfile, "environments">
  receiver: Receiver
  webhookCertHeader: CertificateHeader | null
  /** The account that debits are paid into; null where there are none. */
  debitAccount: DebitAccount | null
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
  const register = (path: string, url: string) => registerWebhook(client, { path, url, headers, replacesOthers, log })
  const { debitAccount: account } = options
  return {
    name,
    label: profile.label,
    createCharge: (request) => createCharge(client, receiver, request),
    dueCharges: profile.dueCharges ? dueChargesOf(client, receiver) : null,
    automatic: account === null ? null : automaticOf(client, { receiver, account, reader, register }),
    removeCharge: (txid) => removeCharge(client, profile.revisionPath, txid),
    findReceiptsOfCharge: (txid) => findReceiptsOfCharge(client, reader, txid),
    isChargePaid: async (txid) => (await findCharge(client, txid))?.status === "CONCLUIDA",
    findReceipt: (endToEndId) => findReceipt(client, reader, endToEndId),
    listReceipts: (window) => listReceipts(client, reader, window),
    listRefundedReceipts: (window) => listReceipts(client, reader, window, { devolucaoPresente: "true" }),
    isGenuine: (webhook) => isGenuine(webhookCertHeader, webhook),
    eventsReportedBy,
    registerWebhook: (url) => register(`/webhook/${encodeURIComponent(receiver.key)}`, url),
    payouts: payoutsOf(client, unreadable, options),
    requestRefund: (request) => requestRefund(client, request),
    findRefund: (refundName) => findRefund(client, refundName),
    certificateEndsAt: options.certificate?.endsAt ?? null,
    readBalance: balanceOf(client, profile.balance),
    disputes: profile.disputes === null ? null : createDisputes(client, profile.disputes, log),
    bankTime: client.bankTime,
    stampOffset: client.stamps.offset,
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

/** The standard tells no balance: `GET /gn/saldo` is Efí's, which leaves blocked money out and states it in another field. */
async function readBalance(client: ApiPixClient, path: string): Promise<Cents> {
  const answer = await client.request("GET", `${path}?bloqueios=true`)
  if (answer.status !== 200) throw failureOf(answer)
  const parsed = balanceSchema.safeParse(answer.body)
  const freeCents = parsed.success ? signed(parsed.data.saldo) : null
  if (!parsed.success || freeCents === null) throw new PspError("unknown", "unreadable balance")
  return addCents(freeCents, readValue(parsed.data.bloqueios?.total) ?? noMoney)
}

function signed(value: string | number): Cents | null {
  const text = String(value)
  const cents = readValue(text.replace(/^-/, ""))
  return cents !== null && text.startsWith("-") ? subtractCents(noMoney, cents) : cents
}

/** Short enough that a payout can be queried and sent, with a new token in between, well within its lease. */
const TIMEOUT_MS = 10_000

/** The operator's account at this bank. A missing or bad setting ends the start with a line that names its variable. */
export function bankOptions(profile: ApiPixProfile, settings: PixSettings, log: Logger): ApiPixOptions {
  const bank = profile.environments[settings.environment]
  const reason = `PIX_PROVIDER=${profile.name} precisa dela`
  for (const setting of profile.needs) settingOf(settings, setting, reason)
  const certificate = readClientCertificate(settings, new Date())
  if (certificate === null && bank.needsCertificate) throw new PixSettingError("certFile", `ausente: ${reason}.`)
  const needed = (setting: "clientId" | "key" | "receiverName") => settingOf(settings, setting, reason)
  const givenToken = bank.givesToken === true ? settingOf(settings, "clientSecret", "traz o token do portal") : null
  if (settings.dueCharges && !profile.dueCharges) {
    throw new PixSettingError(
      "dueCharges",
      `inválida: por aqui o ${profile.label} não oferece cobranças com vencimento.`,
    )
  }
  if (settings.debitAccount !== null && !profile.automatic) {
    throw new PixSettingError("debitAccount", `inválida: por aqui o ${profile.label} não oferece Pix Automático.`)
  }
  return {
    name: nameInBooks(profile.name, settings),
    profile: { ...profile, dueCharges: settings.dueCharges, automatic: settings.debitAccount !== null },
    baseUrl: settings.baseUrl ?? bank.base,
    tokenUrl: settings.tokenUrl ?? bank.token,
    givenToken,
    clientId: needed("clientId"),
    clientSecret: settings.clientSecret,
    appKey: settings.appKey,
    account: settings.account,
    receiver: { key: needed("key"), name: needed("receiverName"), city: settings.receiverCity },
    certificate,
    authorities: readTrustedAuthorities(settings),
    webhookCertHeader: settings.webhookCertHeader,
    debitAccount: settings.debitAccount,
    replacesWebhook: settings.replacesWebhook,
    timeoutMs: TIMEOUT_MS,
    pausesMs: usualPausesMs,
    log,
  }
}
