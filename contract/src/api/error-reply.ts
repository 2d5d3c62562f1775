import * as z from "zod/mini"
import { type ErrorCode, errorMessages } from "../vocabulary/error-codes.ts"

export const errorReply = z.object({
  status: z.enum(["fail", "error"]),
  message: z.string(),
  code: z.enum(Object.keys(errorMessages) as ErrorCode[]),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
export type ErrorReply = z.infer<typeof errorReply>
