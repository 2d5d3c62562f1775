import { createPublicKey } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Logger } from "pino"
import { usualPausesMs } from "#psp/bounded-http"
import { nameInBooks, PixSettingError, type PixSettings, settingOf } from "#psp/pix-settings"
import type { Psp } from "#psp/psp"
import { createUnreadableEntries } from "#psp/unreadable-entries"
import { createCharge, findCharge, findRefund, removeCharge, requestRefund } from "./woovi-charges.ts"
import { createWooviClient, type WooviConfig } from "./woovi-client.ts"
import { findPayout, listPayouts, sendPayout } from "./woovi-payouts.ts"
import { findReceipt, findReceiptsOfCharge, listReceipts } from "./woovi-receipts.ts"
import { eventsReportedBy, isSignedBy, publishedKeys, registerWebhooks } from "./woovi-webhooks.ts"

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
    dueCharges: null,
    automatic: null,
    removeCharge: (txid) => removeCharge(client, txid),
    findReceiptsOfCharge: (txid) => findReceiptsOfCharge(source, txid),
    isChargePaid: async (txid) => (await findCharge(client, txid))?.status === "COMPLETED",
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

export const wooviAddresses = {
  producao: "https://api.woovi.com",
  homologacao: "https://api.woovi-sandbox.com",
} as const satisfies Record<PixSettings["environment"], string>

const TIMEOUT_MS = 10_000

export function connectWoovi(settings: PixSettings, log: Logger): Psp {
  const { environment, webhookKeyFile, dueCharges, debitAccount } = settings
  if (debitAccount !== null)
    throw new PixSettingError("debitAccount", "inválida: por aqui a Woovi não oferece Pix Automático.")
  if (dueCharges) throw new PixSettingError("dueCharges", "inválida: com a Woovi as cobranças têm um código por dia.")
  return createWooviPsp({
    name: nameInBooks("woovi", settings),
    baseUrl: settings.baseUrl ?? wooviAddresses[environment],
    appId: settingOf(settings, "appKey", "PIX_PROVIDER=woovi pede o AppID, que a Woovi mostra em API/Plugins"),
    webhookKeys: [publishedKeys[environment], ...(webhookKeyFile === null ? [] : [readKey(webhookKeyFile)])],
    timeoutMs: TIMEOUT_MS,
    pausesMs: usualPausesMs,
    log,
  })
}

/** Reads Woovi's next public key, in case it replaces the published one. */
function readKey(file: string): string {
  try {
    const pem = readFileSync(file, "utf8")
    createPublicKey(pem)
    return pem
  } catch (error) {
    throw new PixSettingError("webhookKeyFile", "inválida: use um arquivo PEM com a chave pública da Woovi.", {
      cause: error,
    })
  }
}
