import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { isoDateTime, success, text } from "./fields.ts"

/** The signed text says these, and nothing else. */
const receiptFacts = {
  amount: z.number(),
  /** The receiver's name when the receipt was made. */
  receiver: z.string(),
  paidAt: isoDateTime,
  endToEndId: z.string(),
  /** Masked; null where it was left out. */
  payerCpf: z.nullable(z.string()),
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
  paidAt: z.nullable(receiptFacts.paidAt),
  endToEndId: z.nullable(receiptFacts.endToEndId),
  payerCpf: receiptFacts.payerCpf,
  /** Returned to the payer since, all of it or a part. */
  refundedAmount: z.number(),
})
export type ReceiptVerdictView = z.infer<typeof receiptVerdictView>

export const getReceiptEndpoint = defineEndpoint(heads.getReceipt, {
  operationId: "getReceipt",
  audience: "public",
  tag: "Pagamento",
  summary:
    "O recibo assinado de um Pix pago, com o mesmo direito do comprovante. Com o `payerToken` (`?k=`) traz o CPF mascarado de quem pagou; `cpf=0` o deixa de fora",
  params: z.object({ transactionId: z.string() }),
  query: z.object({ k: z.optional(text(64)), cpf: z.optional(z.enum(["0", "1"])) }),
  reply: { status: 200, schema: success(receiptView) },
})

export const verifyReceiptEndpoint = defineEndpoint(heads.verifyReceipt, {
  operationId: "verifyReceipt",
  audience: "public",
  tag: "Pagamento",
  summary:
    "Diz se um recibo é verdadeiro (`valid`), falso (`forged`) ou se o valor, ou parte dele, voltou a quem pagou (`refunded`)",
  body: z.object({ receipt: z.string("Informe o texto do recibo.") }),
  reply: { status: 200, schema: success(receiptVerdictView) },
})
