import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { isoDateTime, success, text } from "./fields.ts"
import * as heads from "./heads.ts"

/** The signed text says these, and nothing else. */
const receiptFacts = {
  amount: z.number(),
  /** The shop's name when it was paid; without a shop the receiver's when the receipt was made. */
  receiver: z.string(),
  /** The shop's CPF or CNPJ when it was paid; null without one. */
  receiverDocument: z.nullable(z.string()),
  paidAt: isoDateTime,
  endToEndId: z.string(),
  /** Masked; null where it was left out. */
  payerCpf: z.nullable(z.string()),
  /** A company's, whole; null where it was left out. */
  payerCnpj: z.nullable(z.string()),
}

export const receiptView = z.object({
  /** The signed text. */
  receipt: z.string(),
  /** Opens the page that checks it. */
  verifyUrl: z.string(),
  ...receiptFacts,
})

/** All facts are null for a forged one, because it proves none. */
export const receiptVerdictView = z.object({
  verdict: z.enum(["valid", "forged", "refunded"]),
  amount: z.nullable(receiptFacts.amount),
  receiver: z.nullable(receiptFacts.receiver),
  receiverDocument: receiptFacts.receiverDocument,
  paidAt: z.nullable(receiptFacts.paidAt),
  endToEndId: z.nullable(receiptFacts.endToEndId),
  payerCpf: receiptFacts.payerCpf,
  payerCnpj: receiptFacts.payerCnpj,
  /** Returned to the payer since, all of it or a part. */
  refundedAmount: z.number(),
})
export type ReceiptVerdictView = z.infer<typeof receiptVerdictView>

export const getReceiptEndpoint = defineEndpoint("getReceipt", heads.getReceipt, {
  audience: "public",
  tag: "Pagamento",
  summary:
    "O comprovante assinado de um Pix pago, com o mesmo direito de quem o consulta sem assinatura. Com o `payerToken` (`?k=`) traz o CPF mascarado, ou o CNPJ, de quem pagou; `cpf=0` o deixa de fora",
  params: z.object({ transactionId: z.string() }),
  query: z.object({ k: z.optional(text(64)), cpf: z.optional(z.enum(["0", "1"])) }),
  reply: { status: 200, schema: success(receiptView) },
})

export const verifyReceiptEndpoint = defineEndpoint("verifyReceipt", heads.verifyReceipt, {
  audience: "public",
  tag: "Pagamento",
  summary:
    "Diz se um comprovante é verdadeiro (`valid`), falso (`forged`) ou se o valor, ou parte dele, voltou a quem pagou (`refunded`)",
  body: z.object({ receipt: z.string("Informe o texto assinado do comprovante.") }),
  reply: { status: 200, schema: success(receiptVerdictView) },
})

const receipt =
  "TLR1.5ab8c8dab76a4138.WzEwMDAwLCJBbmEgU291emEiLDE3OTUyNjI0MDAsIkU5OTk5OTk5OTIwMjYxMTIxMTIwMDAwMDAwMDAwMDAxIiwiOTgyMjQ3Il0.WjcXIkQ2XQF1kGNCxJJeLVbZu8ZySqwlYLRDZqilLvLu-37Ri-WY8VZ3fePFLrrDJ-VKcS0fMARed4H--rGiDA"

const facts = {
  amount: 100,
  receiver: "Ana Souza",
  receiverDocument: null,
  paidAt: "2026-11-21T12:00:00.000Z",
  endToEndId: "E9999999920261121120000000000001",
  payerCpf: "***.982.247-**",
  payerCnpj: null,
} as const

export const exampleReceipt = { receipt, verifyUrl: `https://pagar.example/verificar#${receipt}`, ...facts }

export const receiptsExamples = [
  defineExample(getReceiptEndpoint, {
    params: { transactionId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    query: {},
    data: exampleReceipt,
    failures: ["payment_not_found", "receipt_not_ready"],
  }),
  defineExample(verifyReceiptEndpoint, {
    body: { receipt },
    data: { verdict: "refunded", ...facts, refundedAmount: 25 },
    failures: ["validation_failed"],
  }),
]
