import type { Cents } from "@tilinta/contract/vocabulary/money"
import * as z from "zod/mini"

/** Lenient on purpose: only the fields in use are read, and undocumented ones may be absent. Requests are strict. */
const cents = z.pipe(
  z.union([z.int(), z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.transform(Number))]).check(z.nonnegative()),
  z.transform((value) => value as Cents),
)

const text = z.nullish(z.string())

export const chargeSchema = z.object({
  charge: z.object({ correlationID: z.string(), status: z.string(), value: cents, brCode: text }),
  brCode: text,
})

/** Enough to decide whether a transaction concerns us; most others have fewer fields. */
export const movementSchema = z.object({ type: z.string(), status: text, charge: z.unknown() })

export const chargeOfMovementSchema = z.object({ correlationID: z.string().check(z.minLength(1), z.maxLength(64)) })

export const paymentReceivedSchema = z.object({
  endToEndId: z.string().check(z.minLength(1), z.maxLength(64)),
  value: cents.check(z.positive()),
  time: z.string(),
})

export const transactionAnswerSchema = z.object({ transaction: z.unknown() })

const items = z.optional(z.array(z.unknown()))

export const listSchema = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean() }),
  transactions: items,
  payments: items,
})

export const refundSchema = z.object({
  status: z.string(),
  value: cents,
  correlationID: text,
  refundId: text,
  returnIdentification: text,
  endToEndId: text,
  time: text,
})

export const refundAnswerSchema = z.object({ refund: refundSchema })

export const chargeRefundsSchema = z.object({ refunds: z.array(z.unknown()) })

export const paymentSchema = z.object({
  payment: z.object({ correlationID: z.string(), status: z.string(), value: z.nullish(cents), createdAt: text }),
  transaction: z.nullish(z.object({ endToEndId: z.nullish(z.string().check(z.maxLength(64))), time: text })),
  error: z.nullish(z.object({ code: text, description: text })),
})

export const webhookListSchema = z.object({
  webhooks: z.array(z.object({ event: z.string(), url: z.string(), isActive: z.nullish(z.boolean()) })),
})

/** Woovi's refusals, whatever the call. */
export const refusalSchema = z.object({ error: z.string().check(z.minLength(1)) })
