import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { payerStatusOf } from "../vocabulary/transaction-status.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, malformed, readableLine, success, text } from "./fields.ts"

const payerField = z.nullish(text(200).check(z.trim(), readableLine))
/** Pasted numbers come with marks that nobody sees; only the digits count. */
const payerNumber = z.nullish(text(200).check(z.trim()))

/** Sent by the payer; which of them are required depends on the page, in `payerDataProblem`. */
export const customerInfoBody = z.object({
  name: payerField,
  email: payerField,
  cpf: payerNumber,
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

export const processPixPaymentEndpoint = defineEndpoint(heads.processPixPayment, {
  operationId: "processPixPayment",
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
  receiver: z.string(),
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

export const getPaymentProofEndpoint = defineEndpoint(heads.getPaymentProof, {
  operationId: "getPaymentProof",
  audience: "public",
  tag: "Pagamento",
  summary:
    "O comprovante de um Pix, para quem tem o identificador da transação e, com proteção estrita, o `payerToken` (`?k=`)",
  params: z.object({ transactionId: z.string() }),
  query: payerQuery,
  reply: { status: 200, schema: success(z.object({ proof: paymentProofView })) },
})

export const getPaymentStatusEndpoint = defineEndpoint(heads.getPaymentStatus, {
  operationId: "getPaymentStatus",
  audience: "public",
  urgency: "first",
  tag: "Pagamento",
  summary: "Situação de um Pix, para quem paga; `k` é o `payerToken`, que a proteção estrita exige",
  params: z.object({ transactionId: z.string() }),
  query: payerQuery,
  reply: { status: 200, schema: success(z.object({ status: z.enum(payerStatusOf) })) },
})
