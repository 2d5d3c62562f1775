import {
  type ChargePageView,
  DEFAULT_EXPIRY_HOURS,
  hoursNotWhole,
  hoursOf,
  hoursOutOfRange,
  MAX_EXPIRY_HOURS,
  updateChargePageBody,
} from "@tilinta/contract/charge-pages"
import * as z from "zod/mini"
import {
  maxPaymentsBody,
  type OrderForm,
  type PaymentsLimitForm,
  paymentsLimitOf,
} from "#seller/charge-page-parts/charge-page-options.tsx"
import { type CustomerDataForm, customerDataBody, customerDataOf } from "#seller/charge-page-parts/customer-data.tsx"
import { type PriceForm, priceBody, priceFormOf } from "#seller/charge-page-parts/price-fields.tsx"

export interface EditChargePageFields extends CustomerDataForm, PaymentsLimitForm, OrderForm, PriceForm {
  title: string
  slug: string
  description: string
  neverExpires: boolean
  expiresInHours: string
}

export function editFieldsOf(page: ChargePageView): EditChargePageFields {
  const hours = page.pixConfig.expiresInHours
  return {
    title: page.title,
    ...priceFormOf(page),
    slug: page.slug,
    description: page.description,
    ...customerDataOf(page),
    neverExpires: hours === 0,
    expiresInHours: String(hours === 0 ? DEFAULT_EXPIRY_HOURS : hours),
    ...paymentsLimitOf(page.maxPayments),
    externalReference: page.externalReference ?? "",
    returnUrl: page.returnUrl ?? "",
  }
}

/** 0 comes only from the switch. */
function editedHours({ neverExpires, expiresInHours }: Pick<EditChargePageFields, "neverExpires" | "expiresInHours">) {
  return neverExpires ? 0 : hoursOf(expiresInHours)
}

function updateBody(form: EditChargePageFields): z.input<typeof updateChargePageBody> {
  const { allowAnonymous, ...customerData } = customerDataBody(form)
  return {
    title: form.title.trim(),
    slug: form.slug,
    ...priceBody(form),
    description: form.description.trim(),
    ...customerData,
    pixConfig: { allowAnonymous, expiresInHours: editedHours(form) },
    maxPayments: maxPaymentsBody(form),
    externalReference: form.externalReference,
    returnUrl: form.returnUrl,
  }
}

const wholeHours = z.refine<EditChargePageFields>((form) => Number.isInteger(editedHours(form)), {
  path: ["expiresInHours"],
  error: hoursNotWhole,
  abort: true,
})
const hoursRule = z.refine<EditChargePageFields>(
  (form) => form.neverExpires || (editedHours(form) >= 1 && editedHours(form) <= MAX_EXPIRY_HOURS),
  { path: ["expiresInHours"], error: hoursOutOfRange, abort: true },
)

export const editChargePageSchema = z.pipe(
  z.pipe(z.custom<EditChargePageFields>().check(wholeHours, hoursRule), z.transform(updateBody)),
  updateChargePageBody,
)
