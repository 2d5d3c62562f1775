import * as z from "zod/mini"
import { PspError } from "#psp/psp"

/** Our requests by the letter of the standard, so that a bug of ours is found before it is sent. */
const value = z.string().check(z.regex(/^\d{1,10}\.\d{2}$/))
const key = z.string().check(z.minLength(1), z.maxLength(77))
const text = z.string().check(z.minLength(1), z.maxLength(140))

export const txidSchema = z.string().check(z.regex(/^[a-zA-Z0-9]{26,35}$/))

export const chargeRequest = z.strictObject({
  calendario: z.strictObject({ expiracao: z.int().check(z.positive(), z.maximum(2_147_483_647)) }),
  valor: z.strictObject({ original: value }),
  chave: key,
  solicitacaoPagador: z.optional(text),
})

export const removalRequest = z.strictObject({ status: z.literal("REMOVIDA_PELO_USUARIO_RECEBEDOR") })

export const refundRequest = z.strictObject({ valor: value, descricao: z.optional(text) })

export const payoutRequest = z.strictObject({
  valor: value,
  pagador: z.strictObject({ chave: key, infoPagador: z.optional(text) }),
  favorecido: z.strictObject({ chave: key, cpf: z.optional(z.string()), cnpj: z.optional(z.string()) }),
})

export const webhookRequest = z.strictObject({ webhookUrl: z.string().check(z.regex(/^https?:\/\/\S+$/)) })

export function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: z.input<Schema>,
): z.output<Schema> & object {
  const result = schema.safeParse(body)
  if (result.success) return result.data as z.output<Schema> & object
  const [issue] = result.error.issues
  throw new PspError("rejected", `what we would send breaks the standard: ${issue?.path.join(".")}`)
}

/** Truncated to fit, never within a character; undefined when nothing is left. */
export function shownText(words: string): string | undefined {
  const line = words.replace(/\p{Cc}+/gu, " ").trim()
  let shown = ""
  for (const sign of line) {
    if (shown.length + sign.length > 140) break
    shown += sign
  }
  return shown === "" ? undefined : shown
}
