import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, malformed, publicShopView, readableLine, reais, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { payerStatusOf } from "./vocabulary/transactions.ts"

const payerField = z.nullish(text(200).check(z.trim(), readableLine))
/** Pasted numbers come with marks that nobody sees; only the digits count. */
const payerNumber = z.nullish(text(200).check(z.trim()))

/** Sent by the payer; which of them are required depends on the page, in `payerDataProblem`. */
export const customerInfoBody = z.object({
  name: payerField,
  email: payerField,
  cpf: payerNumber,
  /** Instead of the CPF, of a company. */
  cnpj: payerNumber,
  phone: payerNumber,
})
export type CustomerInfoBody = z.infer<typeof customerInfoBody>

const processPixPaymentBody = z.object({
  checkoutPageId: z.string("Informe a página de cobrança.").check(
    z.refine((value) => value.length > 0 && value.length <= 200, {
      error: "Informe a página de cobrança.",
      params: malformed,
    }),
  ),
  customerInfo: z.nullish(customerInfoBody),
  /** On pages whose payers choose the amount, and only there. */
  amount: z.nullish(reais("Informe o valor.")),
})

export const pixPaymentView = z.object({
  transactionId: id,
  /** The payer's own secret, 128 bits in base64url: sent as `k` by the calls about this payment. */
  payerToken: z.string(),
  pixQrCodeBase64: z.string(),
  pixCode: z.string(),
  amount: z.number(),
  status: z.enum(payerStatusOf),
  /** The code's expiry and the server's clock at the answer: the countdown needs both. */
  expiresAt: isoDateTime,
  serverTime: isoDateTime,
  /** The name that the payer's bank will show. */
  receiverName: z.string(),
})
export type PixPaymentView = z.infer<typeof pixPaymentView>

export const processPixPaymentEndpoint = defineEndpoint("processPixPayment", heads.processPixPayment, {
  audience: "public",
  isIdempotent: true,
  tag: "Pagamento",
  summary: "Gera um Pix para uma página de cobrança",
  body: processPixPaymentBody,
  reply: { status: 201, schema: success(pixPaymentView) },
})

/** Strict protection answers 404 without it. */
const payerQuery = z.object({ k: z.optional(text(64)) })

/** Proof of a payment. It holds no payer data, because the link is passed on. */
export const paymentProofView = z.object({
  transactionId: id,
  amount: z.number(),
  date: isoDateTime,
  title: z.string(),
  /** The shop, with the name and document that it had when it was paid; else the seller's own name. */
  receiver: z.string(),
  receiverDocument: z.nullable(z.string()),
  /** The shop as it is today: how it looks, and whom to ask. Absent without one. */
  shop: z.optional(publicShopView),
  /** The charge page, or this payment on it once the page is closed; null without one. */
  chargePath: z.nullable(z.string()),
  /** The payer's way back to the shop, signed; null before the payment, and where there is none. */
  returnUrl: z.nullable(z.string()),
  paymentMethod: z.literal("pix"),
  status: z.enum(payerStatusOf),
  endToEndId: z.nullable(z.string()),
  refundedAmount: z.number(),
  /** Returns to the payer, oldest first. */
  refunds: z.array(
    z.object({
      amount: z.number(),
      date: isoDateTime,
      /** The return's own id in the Pix network (starts with D). */
      returnId: z.nullable(z.string()),
    }),
  ),
})
export type PaymentProofView = z.infer<typeof paymentProofView>

export const getPaymentProofEndpoint = defineEndpoint("getPaymentProof", heads.getPaymentProof, {
  audience: "public",
  tag: "Pagamento",
  summary:
    "O comprovante de um Pix, para quem tem o identificador da transação e, com proteção estrita, o `payerToken` (`?k=`)",
  params: z.object({ transactionId: z.string() }),
  query: payerQuery,
  reply: { status: 200, schema: success(z.object({ proof: paymentProofView })) },
})

export const getPaymentStatusEndpoint = defineEndpoint("getPaymentStatus", heads.getPaymentStatus, {
  audience: "public",
  urgency: "first",
  tag: "Pagamento",
  summary: "Situação de um Pix, para quem paga; `k` é o `payerToken`, que a proteção estrita exige",
  params: z.object({ transactionId: z.string() }),
  query: payerQuery,
  reply: { status: 200, schema: success(z.object({ status: z.enum(payerStatusOf) })) },
})

export const paymentsExamples = [
  defineExample(processPixPaymentEndpoint, {
    body: {
      checkoutPageId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
      customerInfo: { name: "João Lima", email: "joao@cliente.example", cpf: "52998224725", phone: "11987654321" },
    },
    data: {
      transactionId: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
      pixQrCodeBase64: "iVBORw0KGgoAAAANSUhEUgAA",
      payerToken: "mK0xTj9vQ2cR7hYd3sWfZA",
      pixCode:
        "00020101021226790014br.gov.bcb.pix2557pix.exemplo.com.br/qr/v2/6abcc7c841ef8579208712eb113315305204000053039865406100.005802BR5915TILINTA SANDBOX6009SAO PAULO62070503***63049EE0",
      amount: 100,
      status: "pendente",
      expiresAt: "2026-11-22T12:00:00.000Z",
      serverTime: "2026-11-21T12:00:00.000Z",
      receiverName: "TILINTA SANDBOX",
    },
    failures: [
      "public_charge_page_not_found",
      "charge_page_already_paid",
      "charge_page_changed",
      "idempotency_key_reused",
      "psp_unavailable",
      "psp_refused",
    ],
  }),
  defineExample(getPaymentStatusEndpoint, {
    params: { transactionId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    query: {},
    data: { status: "pendente" },
    failures: ["payment_not_found"],
  }),
  defineExample(getPaymentProofEndpoint, {
    params: { transactionId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    query: {},
    data: {
      proof: {
        transactionId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
        amount: 100,
        date: "2026-11-21T12:00:00.000Z",
        title: "Mentoria de Vendas",
        receiver: "Ana Souza",
        receiverDocument: null,
        chargePath: "/checkout/mWq7LrT2xZ9K",
        returnUrl: null,
        paymentMethod: "pix",
        status: "pago",
        endToEndId: "E9999999920261121120000000000001",
        refundedAmount: 25,
        refunds: [{ amount: 25, date: "2026-11-22T12:00:00.000Z", returnId: "D9999999920261122120000000000001" }],
      },
    },
    failures: ["payment_not_found"],
  }),
]
