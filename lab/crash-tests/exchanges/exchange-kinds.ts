import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Chance } from "../chance.ts"
import { sendJson } from "../shop.ts"
import { askForPix, atBank, call, type Market, payCode, refusingReceiver, type Seller } from "./market.ts"

type Exchange = (market: Market, chance: Chance) => Promise<void>

function anySeller({ sellers }: Market, chance: Chance): Seller {
  const seller = chance.pick(sellers)
  if (seller === undefined) throw new Error("a market has sellers")
  return seller
}

async function payOnce(market: Market, chance: Chance): Promise<void> {
  const pix = await askForPix(market, anySeller(market, chance).pageId)
  if (pix !== null) await payCode(market, pix)
}

async function payTwice(market: Market, chance: Chance): Promise<void> {
  const pix = await askForPix(market, anySeller(market, chance).pageId)
  if (pix !== null) await Promise.all([payCode(market, pix), payCode(market, pix)])
}

/** A race between a payer and the seller's cancellation, decided by a few milliseconds. */
export async function payWhileCancelling(market: Market, chance: Chance): Promise<void> {
  const { token } = anySeller(market, chance)
  const body = {
    title: "Ingresso",
    slug: `ingresso-${chance.between(0, 999_999)}`,
    amount: chance.between(100, 9_999) / 100,
    pixConfig: { allowAnonymous: true, expiresInHours: 24 },
  }
  const created = await call(market, "POST", "/checkout/pages", { body, token, key: randomUUID() })
  if (created.status !== 201) return
  const { checkoutPage } = created.body["data"] as { checkoutPage: { _id: string } }
  const pix = await askForPix(market, checkoutPage._id)
  if (pix === null) return
  const [payerMs, sellerMs] = [chance.between(0, 25), chance.between(0, 25)]
  const closing = chance.is(0.5)
    ? () => call(market, "PATCH", `/checkout/pages/${checkoutPage._id}/cancel`, { token })
    : () => call(market, "DELETE", `/checkout/pages/${checkoutPage._id}`, { token })
  await Promise.all([sleep(payerMs).then(() => payCode(market, pix)), sleep(sellerMs).then(closing)])
  market.raced.push(pix.transactionId)
}

/** A payment without a charge, or for one of our codes with another amount. */
async function payStray(market: Market, chance: Chance): Promise<void> {
  const valor = (chance.between(1, 50_000) / 100).toFixed(2)
  const wish = chance.is(0.3) ? { valor } : { valor, txid: randomUUID().replaceAll("-", "") }
  const { status, body } = await atBank(market, "recebimentos", wish)
  const cents = Math.round(Number(valor) * 100)
  if (status === 201) market.receipts.push({ endToEndId: String(body["endToEndId"]), cents })
}

async function refund(market: Market, chance: Chance): Promise<void> {
  const seller = anySeller(market, chance)
  const list = await call(market, "GET", "/payments/transactions?status=aprovado&limit=20", { token: seller.token })
  const { transactions = [] } = (list.body["data"] ?? {}) as { transactions?: { _id: string; amount: number }[] }
  const transaction = chance.pick(transactions)
  if (transaction === undefined) return
  const part = chance.is(0.5) ? 1 : chance.draw()
  const amount = Math.max(1, Math.round(transaction.amount * part * 100)) / 100
  const [path, token] = chance.is(0.5)
    ? [`/payments/transactions/${transaction._id}/refunds`, seller.token]
    : [`/admin/transactions/${transaction._id}/refunds`, market.admin]
  const wish = { body: { amount, reason: "Desistiu" }, token, key: randomUUID() }
  await Promise.all(Array.from({ length: chance.between(1, 2) }, () => call(market, "POST", path, wish)))
}

async function refundByBank(market: Market, chance: Chance): Promise<void> {
  const receipt = chance.pick(market.receipts)
  if (receipt === undefined) return
  const valor = (Math.max(1, Math.floor(receipt.cents * chance.draw())) / 100).toFixed(2)
  await atBank(market, "devolucoes", { endToEndId: receipt.endToEndId, valor })
}

async function decideStray(market: Market, chance: Chance): Promise<void> {
  const token = market.admin
  const list = await call(market, "GET", "/admin/unmatched-payments?limit=20", { token })
  const { payments = [] } = (list.body["data"] ?? {}) as { payments?: { _id: string; user: object | null }[] }
  const payment = chance.pick(payments)
  if (payment === undefined) return
  const accept = { body: payment.user === null ? { sellerId: anySeller(market, chance).id } : {}, token }
  const decisions = [
    () => call(market, "PATCH", `/admin/unmatched-payments/${payment._id}/accept`, accept),
    () => call(market, "PATCH", `/admin/unmatched-payments/${payment._id}/return`, { body: {}, token }),
  ]
  if (chance.is(0.2)) await Promise.all(decisions.map((decide) => decide()))
  else await chance.pick(decisions)?.()
}

const honestKeys = Array.from({ length: 12 }, () => "ana@loja.example")

/** Requested perhaps twice with one key, and decided by two admins at once. */
async function withdraw(market: Market, chance: Chance): Promise<void> {
  const seller = anySeller(market, chance)
  const { token } = seller
  const me = await call(market, "GET", "/users/myBalance", { token })
  const { balance = 0 } = (me.body["data"] ?? {}) as { balance?: number }
  const amount = Math.round(balance * chance.draw() * 30) / 100
  if (amount < 0.01) return
  const pixKey = chance.pick([...honestKeys, "recusado@loja.example", refusingReceiver])
  const wish = { body: { amount, paymentMethod: "pix", pixKey }, token, key: randomUUID() }
  const asked = await Promise.all(
    Array.from({ length: chance.between(1, 2) }, () => call(market, "POST", "/withdrawals", wish)),
  )
  const id = asked
    .filter(({ status }) => status === 201)
    .map(({ body }) => (body["data"] as { withdrawal: { _id: string } }).withdrawal._id)[0]
  if (id === undefined) return
  const admin = { body: {}, token: market.admin }
  const approve = () => call(market, "PATCH", `/admin/withdrawals/${id}/approve`, admin)
  const reject = () => call(market, "PATCH", `/admin/withdrawals/${id}/reject`, admin)
  const cancel = () => call(market, "PATCH", `/withdrawals/${id}/cancel`, { token })
  const decisions = chance.pick([
    [approve],
    [approve],
    [approve],
    [approve, approve],
    [approve, reject, cancel],
    [reject],
  ])
  await Promise.all((decisions ?? []).map((decide) => decide()))
}

/** By bank transfer, which a person pays, refuses or can't pay. */
async function withdrawByHand(market: Market, chance: Chance): Promise<void> {
  const { token } = anySeller(market, chance)
  const amount = chance.between(1, 3_000) / 100
  const bankData = { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" }
  const wish = { body: { amount, paymentMethod: "bank_transfer", bankData }, token, key: randomUUID() }
  const { status, body } = await call(market, "POST", "/withdrawals", wish)
  if (status !== 201) return
  const { _id } = (body["data"] as { withdrawal: { _id: string } }).withdrawal
  const decide = (verb: string) =>
    call(market, "PATCH", `/admin/withdrawals/${_id}/${verb}`, {
      body: { reason: "Conta fechada" },
      token: market.admin,
    })
  await decide("approve")
  const ends = chance.pick([["complete"], ["return"], ["complete", "return"], ["complete", "complete"]]) ?? []
  await Promise.all(ends.map(decide))
}

async function changeTheFee(market: Market, chance: Chance): Promise<void> {
  const value = chance.pick([0, 0.01, 3.33, 7.77, 15, 50, 99.99, 100])
  await call(market, "PATCH", "/settings/TRANSACTION_FEE_PERCENTAGE", { body: { value }, token: market.admin })
}

/** The codes of the former amount are removed, or paid before that. */
async function changeTheAmount(market: Market, chance: Chance): Promise<void> {
  const { pageId, token } = anySeller(market, chance)
  const body = { amount: chance.between(100, 50_000) / 100 }
  const [pix] = await Promise.all([
    askForPix(market, pageId),
    sleep(chance.between(0, 40)).then(() => call(market, "PATCH", `/checkout/pages/${pageId}`, { body, token })),
  ])
  if (pix !== null) await payCode(market, pix)
}

/** A payer disputes a payment at the bank, which decides it in the same minute, or never. */
async function dispute(market: Market, chance: Chance): Promise<void> {
  const receipt = chance.pick(market.receipts)
  if (receipt === undefined) return
  const valor = (Math.max(1, Math.floor(receipt.cents * chance.draw())) / 100).toFixed(2)
  const opened = await atBank(market, "infracoes", { endToEndId: receipt.endToEndId, valor })
  const status = chance.pick(["ACEITA", "REJEITADA", "CANCELADA_EFI", null])
  if (opened.status !== 201 || status === null) return
  await sleep(chance.between(0, 3_000))
  const path = `${market.installation.bankUrl}/simulador/api/infracoes/${String(opened.body["idInfracao"])}`
  await sendJson(path, "PUT", { status })
}

/** A forged notice of a payment that never happened. */
async function tellLies(market: Market, chance: Chance): Promise<void> {
  await atBank(market, "controle/avisos", { centavos: chance.between(1, 100_000) })
}

const kinds = {
  "pay once": { weight: 36, run: payOnce },
  "pay twice": { weight: 7, run: payTwice },
  "pay while cancelling": { weight: 9, run: payWhileCancelling },
  "pay what nobody asked for": { weight: 6, run: payStray },
  refund: { weight: 10, run: refund },
  "refund by the bank": { weight: 3, run: refundByBank },
  "decide about a stray": { weight: 5, run: decideStray },
  withdraw: { weight: 13, run: withdraw },
  "withdraw by hand": { weight: 3, run: withdrawByHand },
  "change the fee": { weight: 1, run: changeTheFee },
  "change the amount": { weight: 3, run: changeTheAmount },
  dispute: { weight: 2, run: dispute },
  "tell lies": { weight: 2, run: tellLies },
} as const satisfies Record<string, { weight: number; run: Exchange }>

const bag = Object.entries(kinds).flatMap(([kind, { weight, run }]) =>
  Array.from({ length: weight }, () => ({ kind, run })),
)

export async function exchangeSomething(market: Market, chance: Chance): Promise<void> {
  const chosen = chance.pick(bag)
  if (chosen === undefined) return
  const { kinds: counted } = market.counts
  counted.set(chosen.kind, (counted.get(chosen.kind) ?? 0) + 1)
  await chosen.run(market, chance)
}
