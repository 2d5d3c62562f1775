import { availableParallelism } from "node:os"
import { isAmbiguousPixKey, parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { areNetworks, listOfNetworks } from "@tilinta/simulator/open-to"
import * as z from "zod"
import { addressesOf } from "#db/route"
import { parseSecretKeys } from "#kit/secrets"

export const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((number) => number <= 65_535)

export const drainSeconds = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number)
  .refine((seconds) => seconds <= 60)

export const workerCount = z
  .string()
  .regex(/^(auto|[1-9]\d?)$/)
  .transform((count) => (count === "auto" ? availableParallelism() : Number(count)))
  .refine((count) => count <= 64)

/** Networks that the list may name instead of their addresses. */
const namedNetworks = ["loopback", "linklocal", "uniquelocal"]

export const proxyList = z
  .string()
  .transform((list) => list.split(",").map((item) => item.trim()))
  .refine((items) => areNetworks(items.filter((item) => !namedNetworks.includes(item))))

export const networkList = z.string().transform(listOfNetworks).refine(areNetworks)

export function explained<Schema extends z.ZodType>(schema: Schema, message: string) {
  return z.unknown().transform((value, context): z.output<Schema> => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    context.addIssue({ code: "custom", message })
    return z.NEVER
  })
}

/** One host, or several of which one takes writes. */
export function databaseAddress(message: string) {
  const isAddress = (value: string) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol)
  return explained(
    z.string().refine((value) => addressesOf(value).every(isAddress)),
    message,
  )
}

export function address(protocols: readonly string[], message: string) {
  return explained(
    z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol)),
    message,
  )
}

export function secretKeyList(message: string) {
  return explained(
    z.string().transform((text, context) => {
      const keys = parseSecretKeys(text)
      if (keys !== null) return keys
      context.addIssue({ code: "custom", message })
      return z.NEVER
    }),
    message,
  )
}

/** A share of something, from none to all. */
export const share = z
  .string()
  .regex(/^(0|1|0?\.\d+|1\.0+|0\.0+)$/)
  .transform(Number)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `name=value,name=value`, the values percent-encoded, as OpenTelemetry writes headers. */
export const headerList = z
  .string()
  .regex(/^[A-Za-z0-9-]+=[!-+\--~]+(,[A-Za-z0-9-]+=[!-+\--~]+)*$/)
  .transform((value) =>
    Object.fromEntries(
      value.split(",").map((pair) => {
        const equals = pair.indexOf("=")
        return [pair.slice(0, equals).toLowerCase(), decoded(pair.slice(equals + 1))]
      }),
    ),
  )

/** As browsers and certificates write it: scheme and host in lower case, without a default port or a slash at the end. */
export function siteAddress(message: string) {
  return explained(
    z
      .string()
      .refine((value) => /^https?:\/\/[^\s?#@]+$/i.test(value) && URL.canParse(value))
      .transform((value) => new URL(value).href.replace(/(?<!\/)\/+$/, "")),
    message,
  )
}

/** In the form of the Pix directory, so that it equals what the bank reports. Eleven digits may be a CPF or a phone. */
export function pixKey(message: string) {
  return z.string().transform((typed, context) => {
    const key = parsePixKey(typed)
    if (key !== null && !isAmbiguousPixKey(typed)) return key.key
    context.addIssue({ code: "custom", message: key === null ? message : ambiguous })
    return z.NEVER
  })
}

const ambiguous = "pode ser CPF ou telefone; escreva o CPF com pontos (000.000.000-00) ou o telefone com +55"

/** A branch, an account with its digit, and the standard's word for its kind. */
export const debitAccount = z
  .string()
  .regex(/^\d{1,4}\/[\dA-Za-z.-]{1,20}\/(?:corrente|poupanca|pagamento)$/i)
  .transform((typed) => {
    const [agencia = "", conta = "", kind = ""] = typed.split("/")
    const tipoConta = kind.toUpperCase() as "CORRENTE" | "POUPANCA" | "PAGAMENTO"
    return { agencia, conta: conta.replace(/[.-]/g, ""), tipoConta }
  })

/** People separate the digits of an account. */
export const accountNumber = z
  .string()
  .transform((typed) => typed.replace(/[\s./-]/g, ""))
  .refine((digits) => /^\d{1,20}$/.test(digits))

/** Requires TLS, except on this machine. */
export function bankAddress(message: string) {
  const isSafe = (value: string) =>
    value.startsWith("https:") || /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(value)
  return explained(siteAddress(message).refine(isSafe), message)
}

/** A header as the proxy sends it, written `name: value`. */
export function expectedHeader(message: string) {
  return explained(
    z
      .string()
      .regex(/^[A-Za-z0-9-]+: ?[!-~]+$/)
      .transform((value) => {
        const colon = value.indexOf(":")
        return { name: value.slice(0, colon).toLowerCase(), value: value.slice(colon + 1).trim() }
      }),
    message,
  )
}
