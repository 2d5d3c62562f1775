/** An integer number of centavos. Reais appear only where JSON is read or written and on screens. */
export type Cents = number & { readonly __unit: "centavos" }

export const MAX_AMOUNT_CENTS = 999_999_999 as Cents

/** The least that a charge asks for. */
export const MIN_CHARGE_CENTS = 100 as Cents

export const noMoney = 0 as Cents

export function addCents(a: Cents, b: Cents): Cents {
  return (a + b) as Cents
}

export function subtractCents(a: Cents, b: Cents): Cents {
  return (a - b) as Cents
}

export function timesCents(cents: Cents, count: number): Cents {
  return (cents * count) as Cents
}

/** True for what JSON may carry as an amount: finite, at most two decimals. */
export function isReais(value: number): boolean {
  return Number.isFinite(value) && Number(value.toFixed(2)) === value
}

/** Throws RangeError for a value that `isReais` refuses: an amount is never rounded silently. */
export function centsFromReais(reais: number): Cents {
  if (!isReais(reais)) throw new RangeError("amount with more than two decimals")
  return Math.round(reais * 100) as Cents
}

export function reaisFromCents(cents: Cents): number {
  return cents / 100
}

/** Parses what people type or paste, grouped or not, with comma or dot; null when it can't be an amount. */
export function parseReais(text: string): number | null {
  const bare = text.replace(/R\$|\s/g, "")
  const grouped = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$|^\d{1,3}(,\d{3})+\.\d{1,2}$/.test(bare)
  if (!grouped && !/^\d+([.,]\d{0,2})?$|^[.,]\d{1,2}$/.test(bare)) return null
  const decimalAt = /[.,]\d{0,2}$/.exec(bare)?.index ?? bare.length
  const whole = bare.slice(0, decimalAt).replace(/\D/g, "")
  return Number(`${whole || "0"}.${bare.slice(decimalAt + 1) || "0"}`)
}

interface GrossAndFee {
  grossCents: Cents
  feeCents: Cents
}

/**
 * The share of a payment's fee that is returned with `amount`: pro rata, half up, over everything returned so far, so
 * that the shares of a full refund add up to the whole fee, and none exceeds its own amount.
 */
export function feeShareOf(amount: Cents, paid: GrossAndFee, returned: GrossAndFee): Cents {
  const due = proRata(paid, returned.grossCents + amount) - returned.feeCents
  const atMost = Math.min(amount, paid.feeCents - returned.feeCents)
  return Math.min(Math.max(due, 0), atMost) as Cents
}

/** BigInt, because the product of two amounts exceeds the integers that a float holds exactly. */
function proRata({ grossCents, feeCents }: GrossAndFee, part: number): number {
  const gross = BigInt(grossCents)
  return Number((BigInt(feeCents) * BigInt(part) * 2n + gross) / (gross * 2n))
}

export function basisPointsFromPercentage(percentage: number): number {
  return Math.round(percentage * 100)
}

export function percentageFromBasisPoints(basisPoints: number): number {
  return basisPoints / 100
}

const pixValue = /^(\d{1,10})\.(\d{2})$/

/** Parses a provider's `valor` ("100.00") without a float. Null when it isn't one. */
export function centsFromPixValue(value: string): Cents | null {
  const match = pixValue.exec(value)
  return match === null ? null : (Number(`${match[1]}${match[2]}`) as Cents)
}

/** The format of API Pix: "100.00". */
export function pixValueFromCents(cents: Cents): string {
  const digits = String(cents).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const reaisFormat = /* @__PURE__ */ new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })

/** For people: "R$ 1.234,56" or "−R$ 0,10", with a plain space, which every mail program shows. */
export function reaisText(cents: Cents): string {
  return reaisFormat
    .format(cents / 100)
    .replaceAll("\u00a0", " ")
    .replace("-", "−")
}
