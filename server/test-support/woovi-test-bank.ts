import type { TestBank } from "./test-bank.ts"
import { openWooviBank } from "./woovi-bank.ts"

export async function openWooviTestBank(): Promise<TestBank> {
  const bank = await openWooviBank()
  return {
    psp: bank.psp,
    pay: async (txid) => bank.receive(txid, bank.charges.get(txid)?.value ?? 0),
    takeBack: async (endToEndId, cents) => bank.takeBack(endToEndId, cents),
    loseAnswers: async () => bank.loseAnswers("after-accepting"),
    loseRequests: async () => bank.loseAnswers("before"),
    refuseMoneyOut: async () => {
      bank.account.failsPayments = true
    },
    behaveWell: async () => {
      bank.loseAnswers(null)
      bank.account.failsPayments = false
    },
    countPayouts: async (payoutId) => (bank.payments.get(payoutId)?.status === "CONFIRMED" ? 1 : 0),
    webhookOf: (endToEndId) =>
      bank.webhook({ event: "OPENPIX:TRANSACTION_RECEIVED", charge: null, pix: { endToEndId, value: 1 } }),
    listWebhookUrls: async () => bank.webhooks.map(({ event, url }) => `${String(event)} ${String(url)}`),
    close: () => bank.close(),
  }
}
