import { type ChargePageStatus, isPayablePage } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PageReportReason } from "@tilinta/contract/vocabulary/page-reports"
import type { Order } from "./order.ts"

export interface Suspension {
  since: Date
  /** The reason that its seller is told. */
  reason: PageReportReason
}

export interface ChargePage {
  id: string
  sellerId: string
  title: string
  description: string
  amountCents: Cents
  uniqueLink: string
  slug: string
  status: ChargePageStatus
  allowAnonymous: boolean
  requireName: boolean
  requireEmail: boolean
  requirePhone: boolean
  requireCpf: boolean
  /** 0 means never. */
  expiresInHours: number
  expiresAt: Date | null
  /** Null means no limit. */
  maxPayments: number | null
  /** Made by the API for one charge. */
  isSingle: boolean
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

export interface PayerDataWishes {
  requireCustomerData?: boolean | undefined
  allowAnonymous?: boolean | undefined
  requireName?: boolean | undefined
  requireEmail?: boolean | undefined
  requirePhone?: boolean | undefined
  requireCpf?: boolean | undefined
}

/** `allowAnonymous` decides. Missing flags count as true, except `allowAnonymous`, which counts as false. */
export function payerDataRules(wishes: PayerDataWishes) {
  const allowAnonymous = wishes.allowAnonymous ?? wishes.requireCustomerData === false
  const wants = (flag: boolean | undefined): boolean => !allowAnonymous && (flag ?? true)
  return {
    allowAnonymous,
    requireName: wants(wishes.requireName),
    requireEmail: wants(wishes.requireEmail),
    requirePhone: wants(wishes.requirePhone),
    requireCpf: wants(wishes.requireCpf),
  }
}
