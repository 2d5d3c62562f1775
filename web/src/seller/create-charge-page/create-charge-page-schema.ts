import { type ChargePageView, createChargePageBody, DEFAULT_EXPIRY_HOURS } from "@tilinta/contract/charge-pages"
import { noPayerFlags } from "@tilinta/contract/vocabulary/payer-data"
import * as z from "zod/mini"
import {
  maxPaymentsBody,
  type OrderForm,
  type PaymentsLimitForm,
  paymentsLimitOf,
} from "#seller/charge-page-parts/charge-page-options.tsx"
import { type CustomerDataForm, customerDataBody, customerDataOf } from "#seller/charge-page-parts/customer-data.tsx"
import { noPrice, type PriceForm, priceBody, priceFormOf } from "#seller/charge-page-parts/price-fields.tsx"

export interface CreateChargePageFields extends CustomerDataForm, PaymentsLimitForm, OrderForm, PriceForm {
  title: string
  slug: string
  description: string
  expiresInHours: string
}

export const emptyChargePage: CreateChargePageFields = {
  title: "",
  ...noPrice,
  slug: "",
  description: "",
  requireCustomerData: false,
  ...noPayerFlags,
  expiresInHours: String(DEFAULT_EXPIRY_HOURS),
  acceptsMany: false,
  maxPayments: "",
  externalReference: "",
  returnUrl: "",
}

export const expiryOptions = [
  { hours: 1, label: "1 hora" },
  { hours: 6, label: "6 horas" },
  { hours: 12, label: "12 horas" },
  { hours: 24, label: "24 horas (recomendado)" },
  { hours: 48, label: "48 horas" },
  { hours: 72, label: "72 horas" },
  { hours: 0, label: "Nunca expira" },
] as const

export function expiryHoursOf(text: string): number {
  const hours = Number.parseInt(text, 10)
  return Number.isNaN(hours) ? DEFAULT_EXPIRY_HOURS : hours
}

function createBody(form: CreateChargePageFields): z.input<typeof createChargePageBody> {
  const { allowAnonymous, ...customerData } = customerDataBody(form)
  return {
    title: form.title,
    slug: form.slug,
    ...priceBody(form),
    description: form.description,
    ...customerData,
    pixConfig: { allowAnonymous, expiresInHours: expiryHoursOf(form.expiresInHours) },
    maxPayments: maxPaymentsBody(form),
    externalReference: form.externalReference,
    returnUrl: form.returnUrl,
  }
}

/** Converts the form to the contract's body, so that both sides apply the same rules. */
export const createChargePageSchema = z.pipe(z.transform(createBody), createChargePageBody)

/** Null for never; the server's clock decides. */
export function expiresAtOf(hours: number, now: Date): string | null {
  return hours === 0 ? null : new Date(now.getTime() + hours * 3_600_000).toISOString()
}

/** A copy to change and publish; values that can't be offered again fall back to the default. */
export function duplicateOf(page: ChargePageView): CreateChargePageFields {
  const offered = expiryOptions.some(({ hours }) => hours === page.pixConfig.expiresInHours)
  return {
    title: page.title,
    ...priceFormOf(page),
    slug: page.slug,
    description: page.description,
    ...customerDataOf(page),
    expiresInHours: String(offered ? page.pixConfig.expiresInHours : DEFAULT_EXPIRY_HOURS),
    ...paymentsLimitOf(page.maxPayments),
    // A reference stands for one page; the copy's is another one.
    externalReference: "",
    returnUrl: page.returnUrl ?? "",
  }
}
