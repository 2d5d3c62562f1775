import { createHash } from "node:crypto"
import { type ChargePageStatus, isPayablePage, type PageReportReason } from "@tilinta/contract/vocabulary/charge-pages"
import {
  type Cents,
  centsFromReais,
  MAX_AMOUNT_CENTS,
  MIN_CHARGE_CENTS,
  reaisText,
} from "@tilinta/contract/vocabulary/money"
import { forEachFlag, type PayerFlag, type PayerFlags } from "@tilinta/contract/vocabulary/payer-data"
import { brokenRule } from "#kit/errors"
import type { ChargeTerms } from "#platform/settings/rules"

export interface Suspension {
  since: Date
  /** The reason that its seller is told. */
  reason: PageReportReason
}

/** The amount of a page. */
interface Price {
  /** The least, where payers choose. */
  amountCents: Cents
  /** Null unless payers choose the amount. */
  choice: { maxCents: Cents; suggestedCents: Cents[] } | null
}

export interface ChargePage extends PayerFlags, Price {
  id: string
  sellerId: string
  title: string
  description: string
  uniqueLink: string
  slug: string
  status: ChargePageStatus
  allowAnonymous: boolean
  /** 0 means never. */
  expiresInHours: number
  expiresAt: Date | null
  /** Null means no limit. */
  maxPayments: number | null
  /** Made by the API for one charge. */
  isSingle: boolean
  /** An invoice's, which says what it asks and when it ends. */
  isInvoice: boolean
  /** In no list, total or event of pages: an invoice's, and that of a sale at the counter. */
  isUnlisted: boolean
  order: Order
  paymentsCount: number
  /** Null unless administrators keep payers away from the page. */
  suspension: Suspension | null
  createdAt: Date
  updatedAt: Date
}

/** Missing fields stay as they are. */
export interface PriceChanges {
  /** Null lets payers choose. */
  amountCents?: Cents | null | undefined
  minCents?: Cents | null | undefined
  maxCents?: Cents | null | undefined
  suggestedCents?: Cents[] | null | undefined
}

/** The price of a new page, or of one that had another. @throws validation_failed */
export function priceOf(changes: PriceChanges, before: Price | null): Price {
  const { amountCents = before?.choice ? null : before?.amountCents } = changes
  if (amountCents === undefined) throw brokenRule("amount", "O valor da cobrança deve ser maior que zero")
  if (amountCents !== null) return fixedPrice(amountCents, changes)
  if (!before?.choice && !hasLimit(changes)) throw brokenRule("amount", "O valor da cobrança deve ser maior que zero")
  return openPrice(changes, before)
}

function openPrice(changes: PriceChanges, before: Price | null): Price {
  const former = before?.choice && { ...before.choice, minCents: before.amountCents }
  const { minCents = former?.minCents, maxCents = former?.maxCents, suggestedCents = former?.suggestedCents } = changes
  const [least, most] = [minCents ?? MIN_CHARGE_CENTS, maxCents ?? MAX_AMOUNT_CENTS]
  if (most < least) throw brokenRule("maxAmount", "O maior valor não pode ficar abaixo do menor.")
  const suggested = [...new Set(suggestedCents)].toSorted((one, other) => one - other)
  if (suggested.some((cents) => cents < least || cents > most)) {
    throw brokenRule("suggestions", `Sugira valores ${within(least, most)}.`)
  }
  return { amountCents: least, choice: { maxCents: most, suggestedCents: suggested } }
}

/** A program that sends nothing but null means no open amount. */
function hasLimit({ minCents, maxCents, suggestedCents }: PriceChanges): boolean {
  return Boolean(minCents) || Boolean(maxCents) || Boolean(suggestedCents?.length)
}

const onlyChosen = "Só vale onde quem paga escolhe o valor: envie amount: null."

function fixedPrice(amountCents: Cents, { minCents, maxCents, suggestedCents }: PriceChanges): Price {
  if (minCents) throw brokenRule("minAmount", onlyChosen)
  if (maxCents) throw brokenRule("maxAmount", onlyChosen)
  if (suggestedCents?.length) throw brokenRule("suggestions", onlyChosen)
  return { amountCents, choice: null }
}

/** The amount of a payer's charge on the page. @throws validation_failed */
export function amountOfPayer({ amountCents, choice }: Price, chosen: number | null): Cents {
  if (choice === null) {
    if (chosen !== null) throw brokenRule("amount", "Esta cobrança tem valor fixo: não envie amount.")
    return amountCents
  }
  if (chosen === null) throw brokenRule("amount", "Informe quanto você quer pagar.")
  const cents = centsFromReais(chosen)
  if (cents >= amountCents && cents <= choice.maxCents) return cents
  throw brokenRule("amount", `Informe um valor ${within(amountCents, choice.maxCents)}.`)
}

function within(least: Cents, most: Cents): string {
  return most === MAX_AMOUNT_CENTS ? `a partir de ${reaisText(least)}` : `de ${reaisText(least)} a ${reaisText(most)}`
}

/** Letters and digits that nobody mistakes for each other, read aloud or on paper. */
const shortCodeSigns = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

/** As on the page's poster: too many for somebody to make a page with the same one. */
export function shortCodeOf(uniqueLink: string): string {
  const digest = createHash("sha256").update(uniqueLink).digest()
  const signs = Array.from(digest.subarray(0, 6), (byte) => shortCodeSigns[byte % shortCodeSigns.length])
  return `${signs.slice(0, 3).join("")}-${signs.slice(3).join("")}`
}

/** A page whose time is over reads expired at once, before the job has marked it. */
export function statusAt(page: Pick<ChargePage, "status" | "expiresAt">, now: Date): ChargePageStatus {
  const isOver = isPayablePage(page.status) && page.expiresAt !== null && page.expiresAt <= now
  return isOver ? "expired" : page.status
}

export function expiryFrom(now: Date, hours: number): Date | null {
  return hours === 0 ? null : new Date(now.getTime() + hours * 3_600_000)
}

export type PayerDataInput = {
  [Flag in PayerFlag | "requireCustomerData" | "allowAnonymous"]?: boolean | undefined
}

/** `allowAnonymous` decides. Missing flags count as true, except `allowAnonymous`, which counts as false. */
export function payerDataRules(input: PayerDataInput) {
  const allowAnonymous = input.allowAnonymous ?? input.requireCustomerData === false
  const wants = (flag: boolean | undefined): boolean => !allowAnonymous && (flag ?? true)
  return { allowAnonymous, ...forEachFlag((flag) => wants(input[flag])) }
}

/** The seller's own name and facts for what a page charges for. It belongs to the page: every charge of the page is of it. */
export interface Order {
  /** A seller never has one twice. */
  externalReference: string | null
  metadata: Record<string, string>
  /** The address to which the payer goes on after paying. */
  returnUrl: string | null
}

export const noOrder: Order = { externalReference: null, metadata: {}, returnUrl: null }

/** Missing fields stay as they are; the pairs are replaced as a whole. */
export type OrderChanges = { [Field in keyof Order]?: Order[Field] | undefined }

export function withOrderChanges(order: Order, changes: OrderChanges): Order {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return given.length === 0 ? order : { ...order, ...Object.fromEntries(given) }
}

/** The fields of a page that its charges need. */
export type PageToCharge = Pick<
  ChargePage,
  | "id"
  | "sellerId"
  | "title"
  | "description"
  | keyof Price
  | "status"
  | "allowAnonymous"
  | PayerFlag
  | "expiresAt"
  | "isInvoice"
> & { terms: ChargeTerms; isConfirmed: boolean; isSuspended: boolean }

export function checkoutPath(link: string): string {
  return `/checkout/${encodeURIComponent(link)}`
}
