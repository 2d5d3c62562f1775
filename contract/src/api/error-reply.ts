import * as z from "zod/mini"
import { type ErrorCode, errorMessages } from "../vocabulary/error-codes.ts"
import { secondFactors } from "../vocabulary/second-factors.ts"

export const errorReply = z.object({
  status: z.enum(["fail", "error"]),
  message: z.string(),
  code: z.enum(Object.keys(errorMessages) as ErrorCode[]),
  /** Ways to prove oneself, where a proof is missing or wrong. */
  data: z.optional(z.object({ methods: z.array(z.enum(["password", ...secondFactors])) })),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
export type ErrorReply = z.infer<typeof errorReply>
