import * as z from "zod/mini"

export const errorReply = z.object({
  status: z.enum(["fail", "error"]),
  message: z.string(),
  code: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
export type ErrorReply = z.infer<typeof errorReply>
