import { type ChargePageStatus, isPayablePage, type PageReportReason } from "@tilinta/contract/vocabulary/charge-pages"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { forEachFlag, type PayerFlag, type PayerFlags } from "@tilinta/contract/vocabulary/payer-data"
import type { ChargeTerms } from "#platform/settings/rules"

export interface Suspension {
  since: Date
  /** The reason that its seller is told. */
  reason: PageReportReason
}

export interface ChargePage extends PayerFlags {
  id: string
  sellerId: string
  title: string
  description: string
  amountCents: Cents
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
  order: Order
  paymentsCount: number
  /** Null unless administrators keep payers away from the page. */
  suspension: Suspension | null
  createdAt: Date
  updatedAt: Date
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
  | "amountCents"
  | "status"
  | "allowAnonymous"
  | PayerFlag
  | "expiresAt"
  | "isInvoice"
> & { terms: ChargeTerms; isConfirmed: boolean; isSuspended: boolean }

export function checkoutPath(link: string): string {
  return `/checkout/${encodeURIComponent(link)}`
}
