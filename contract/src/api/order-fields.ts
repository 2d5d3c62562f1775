import * as z from "zod/mini"
import { malformed, readableLine, text } from "./fields.ts"

export const REFERENCE_MAX = 100
export const RETURN_URL_MAX = 2000
const MOST_PAIRS = 20
const KEY_MAX = 40
const VALUE_MAX = 500

const emptyToNull = z.transform((value: string) => (value === "" ? null : value))

const externalReference = z.nullish(z.pipe(text(REFERENCE_MAX).check(z.trim(), readableLine), emptyToNull))

/** In the query of a list. Empty is refused: whoever lost the reference on the way would read another order's rows. */
export const referenceQuery = z.optional(
  text(REFERENCE_MAX).check(
    z.trim(),
    z.refine((value) => value !== "", { error: "Informe a referência em externalReference.", params: malformed }),
  ),
)

const pairKey = text(KEY_MAX, `Use chaves de 1 a ${KEY_MAX} caracteres em metadata.`).check(
  readableLine,
  z.minLength(1, `Use chaves de 1 a ${KEY_MAX} caracteres em metadata.`),
)
const pairValue = text(VALUE_MAX, `Use valores de até ${VALUE_MAX} caracteres em metadata.`)

const metadata = z.nullish(
  z
    .record(pairKey, pairValue, "metadata é um objeto de textos.")
    .check(
      z.refine((pairs) => Object.keys(pairs).length <= MOST_PAIRS, `Use no máximo ${MOST_PAIRS} pares em metadata.`),
    ),
)

/** Credentials in an address would be handed to the payer. */
function isWebAddress(value: string): boolean {
  if (value === "") return true
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
}

const returnUrl = z.nullish(
  z.pipe(
    text(RETURN_URL_MAX).check(
      z.trim(),
      readableLine,
      z.refine(isWebAddress, "Informe um endereço completo, como https://loja.com.br/pedido."),
    ),
    emptyToNull,
  ),
)

/** The seller's own order, as a page or a charge is given it. On an update null removes, and what is missing stays. */
export const orderFields = { externalReference, metadata, returnUrl }

export interface SentOrder {
  externalReference?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  returnUrl?: string | null | undefined
}

const pairs = z.record(z.string(), z.string())

/** The order of a page in the replies to its owner. */
export const orderView = {
  externalReference: z.nullable(z.string()),
  metadata: pairs,
  returnUrl: z.nullable(z.string()),
}

/** In the metadata of a transaction, beside our own fields, so that no pair of the seller's can hide one of ours. */
export const orderPairs = pairs
