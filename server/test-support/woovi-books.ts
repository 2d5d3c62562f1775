import { randomBytes } from "node:crypto"

/** Woovi answers every refusal with 400 and a message. */
export class WooviRefusal extends Error {}

type Body = Record<string, unknown>

interface WooviCharge {
  correlationID: string
  value: number
  status: string
  brCode: string
  comment: string
  expiresIn: number
}

interface WooviTransaction {
  type: "PAYMENT" | "REFUND" | "WITHDRAW"
  status: string
  value: number
  time: string
  endToEndId: string
  charge: { correlationID: string; status: string } | null
}

interface WooviRefund {
  correlationID: string | null
  value: number
  status: string
  endToEndId: string
  time: string
  of: string
}

interface WooviPayment {
  correlationID: string
  value: number
  status: string
  destinationAlias: string
  destinationAliasType: string
  endToEndId: string | null
  createdAt: string
}

export type WooviBooks = ReturnType<typeof openWooviBooks>

/** One company's account at Woovi. Money under way settles when it is queried a second time. */
export function openWooviBooks(codeOf: (txid: string, amountCents: number) => string) {
  const charges = new Map<string, WooviCharge>()
  const transactions: WooviTransaction[] = []
  const refunds: WooviRefund[] = []
  const payments = new Map<string, WooviPayment>()
  const webhooks: Body[] = []
  let filters = true
  const account = { balanceCents: 100_000_000, refusesRefunds: false, failsPayments: false }

  return {
    account,
    charges,
    transactions,
    payments,
    refunds,
    webhooks,

    /** Makes lists ignore their filters and return everything. */
    ignoreFilters(): void {
      filters = false
    },
    /** Receives a payment, for a charge by its txid or without one. Returns the payment's endToEndId. */
    receive(txid: string | null, value: number, at = new Date()): string {
      const charge = txid === null ? undefined : charges.get(txid)
      if (charge !== undefined) charge.status = "COMPLETED"
      const endToEndId = newEndToEndId("E")
      const named = charge === undefined ? null : { correlationID: charge.correlationID, status: charge.status }
      const time = at.toISOString()
      transactions.unshift({ type: "PAYMENT", status: "CONFIRMED", value, time, endToEndId, charge: named })
      return endToEndId
    },
    /** A refund by the bank, as after a dispute. */
    takeBack(endToEndId: string, value: number, at = new Date()): void {
      settle(newRefund(endToEndId, value, null, at))
    },

    createCharge(body: Body, query: URLSearchParams) {
      const { correlationID, value, comment, expiresIn } = body as unknown as WooviCharge
      const existing = charges.get(correlationID)
      if (existing !== undefined && query.get("return_existing") !== "true") {
        throw new WooviRefusal("Já existe uma cobrança com o correlationID fornecido")
      }
      if (!Number.isSafeInteger(value) || value < 1) throw new WooviRefusal("O valor é inválido")
      if (expiresIn < 900) throw new WooviRefusal("expiresIn deve ser maior que 15 minutos")
      const brCode = codeOf(correlationID, value)
      const charge = existing ?? { correlationID, value, comment, expiresIn, status: "ACTIVE", brCode }
      charges.set(correlationID, charge)
      return { charge, correlationID, brCode: charge.brCode }
    },
    showCharge: (id: string) => ({ charge: known(charges.get(id), "Cobrança não encontrada") }),
    deleteCharge(id: string) {
      const charge = known(charges.get(id), "Cobrança não encontrada")
      if (charge.status !== "ACTIVE") throw new WooviRefusal("A cobrança não pode ser removida")
      charges.delete(id)
      return { status: "OK", id }
    },

    showTransaction(id: string) {
      const found = transactions.find(({ endToEndId }) => endToEndId === id)
      return { transaction: known(found, "Transação não encontrada") }
    },
    /** Newest first, as far as Woovi's documentation suggests. */
    listTransactions(query: URLSearchParams) {
      const charge = query.get("charge")
      if (charge !== null) known(charges.get(charge), "Cobrança não encontrada")
      const found = transactions
        .filter((each) => charge === null || !filters || each?.charge?.correlationID === charge)
        .filter((each) => isWithin(each?.time ?? "", query))
      const skip = Number(query.get("skip") ?? 0)
      const limit = Number(query.get("limit") ?? 100)
      const hasNextPage = skip + limit < found.length
      const pageInfo = { skip, limit, hasPreviousPage: skip > 0, hasNextPage }
      return { pageInfo, transactions: found.slice(skip, skip + limit) }
    },

    createRefund(body: Body) {
      const { transactionEndToEndId, correlationID, value } = body as Record<string, string> & { value: number }
      if (refunds.some((each) => each.correlationID === correlationID)) {
        throw new WooviRefusal("Já existe um reembolso com o correlationID fornecido")
      }
      if (account.refusesRefunds) throw new WooviRefusal("Saldo insuficiente para realizar o reembolso")
      const paid = transactions.find(({ endToEndId }) => endToEndId === transactionEndToEndId)?.value ?? 0
      const back = refunds.filter(({ of }) => of === transactionEndToEndId)
      if (back.reduce((sum, each) => sum + each.value, 0) + value > paid) {
        throw new WooviRefusal("O valor do reembolso é maior que o valor disponível")
      }
      const refund = newRefund(transactionEndToEndId ?? "", value, correlationID ?? null)
      return { refund: refundView(refund) }
    },
    showRefund(id: string) {
      const refund = known(
        refunds.find(({ correlationID }) => correlationID === id),
        "Reembolso não encontrado",
      )
      const view = refundView(refund)
      settle(refund)
      return { refund: view }
    },
    listRefundsOfCharge(id: string) {
      known(charges.get(id), "Cobrança não encontrada")
      const ofCharge = (refund: WooviRefund) =>
        transactions.some((each) => each.endToEndId === refund.of && each.charge?.correlationID === id)
      const word = (status: string) => ({ REFUNDED: "CONFIRMED", NOT_ACCOMPLISHED: "REJECTED" })[status] ?? status
      return {
        refunds: refunds.filter(ofCharge).map(({ of: _of, ...each }) => ({ ...each, status: word(each.status) })),
      }
    },

    createPayment(body: Body) {
      const { correlationID, value, destinationAlias, destinationAliasType } = body as unknown as WooviPayment
      if (payments.has(correlationID)) throw new WooviRefusal("Já existe um pagamento com o correlationID fornecido")
      if (destinationAlias === "nobody@nowhere.example") throw new WooviRefusal("Chave pix não encontrada")
      const payment = {
        correlationID,
        value,
        destinationAlias,
        destinationAliasType,
        status: "CREATED",
        endToEndId: null,
        createdAt: new Date().toISOString(),
      }
      payments.set(correlationID, payment)
      return paymentView(payment)
    },
    approvePayment(body: Body) {
      const payment = known(payments.get(String(body["correlationID"])), "Pagamento não encontrado")
      if (payment.status !== "CREATED") throw new WooviRefusal("O pagamento não pode ser aprovado")
      if (payment.value > account.balanceCents) {
        throw new WooviRefusal("Você não possui saldo o suficiente para realizar esse pagamento")
      }
      account.balanceCents -= payment.value
      payment.status = "APPROVED"
      payment.endToEndId = newEndToEndId("E")
      return paymentView(payment)
    },
    showPayment(id: string) {
      const payment = known(payments.get(id), "Pagamento não encontrado")
      const view = paymentView(payment)
      if (payment.status === "APPROVED") payment.status = account.failsPayments ? "FAILED" : "CONFIRMED"
      return view
    },

    listPayments(query: URLSearchParams) {
      const found = [...payments.values()].filter(({ createdAt }) => isWithin(createdAt, query)).map(paymentView)
      return { pageInfo: { hasNextPage: false }, payments: found }
    },

    listWebhooks(query: URLSearchParams) {
      const url = query.get("url")
      return { webhooks: webhooks.filter((each) => url === null || each["url"] === url) }
    },
    createWebhook({ webhook }: Body) {
      webhooks.push(webhook as Body)
      return { webhook }
    },
  }

  function newRefund(of: string, value: number, correlationID: string | null, at = new Date()): WooviRefund {
    const time = at.toISOString()
    const refund = { correlationID, value, status: "IN_PROCESSING", endToEndId: newEndToEndId("D"), time, of }
    refunds.push(refund)
    return refund
  }

  function settle(refund: WooviRefund): void {
    if (refund.status !== "IN_PROCESSING") return
    refund.status = "REFUNDED"
    const { value, endToEndId, time } = refund
    const charge = transactions.find((each) => each.endToEndId === refund.of)?.charge ?? null
    transactions.unshift({ type: "REFUND", status: "CONFIRMED", value, time, endToEndId, charge })
  }
}

function refundView({ correlationID, value, status, endToEndId, time }: WooviRefund) {
  return {
    correlationID,
    value,
    status,
    time,
    refundId: randomBytes(16).toString("hex"),
    returnIdentification: endToEndId,
  }
}

function paymentView({ endToEndId, ...payment }: WooviPayment) {
  const { value } = payment
  return {
    payment: { ...payment },
    ...(endToEndId !== null && { transaction: { value, endToEndId, time: payment.createdAt } }),
  }
}

/** Entries without a readable time are listed whatever the window. */
function isWithin(time: string, query: URLSearchParams): boolean {
  if (Number.isNaN(Date.parse(time))) return true
  return time >= (query.get("start") ?? "") && time <= (query.get("end") ?? "9")
}

function known<T>(found: T | undefined, otherwise: string): T {
  if (found === undefined) throw new WooviRefusal(otherwise)
  return found
}

function newEndToEndId(kind: "E" | "D"): string {
  return `${kind}54811417${new Date().toISOString().replace(/\D/g, "").slice(0, 12)}${randomBytes(6).toString("hex").slice(0, 11)}`
}
