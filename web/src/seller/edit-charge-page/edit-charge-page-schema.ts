import {
  type ChargePageView,
  DEFAULT_EXPIRY_HOURS,
  MAX_EXPIRY_HOURS,
  updateChargePageBody,
} from "@tilinta/contract/api/charge-pages-endpoints"
import * as z from "zod/mini"
import { type CustomerDataForm, customerDataBody, customerDataOf } from "../charge-page-parts/customer-data.ts"
import { maxPaymentsBody, type PaymentsLimitForm, paymentsLimitOf } from "../charge-page-parts/payments-limit.ts"

export interface EditChargePageFields extends CustomerDataForm, PaymentsLimitForm {
  title: string
  amount: number | null
  slug: string
  description: string
  neverExpires: boolean
  expiresInHours: string
}

export function editFieldsOf(page: ChargePageView): EditChargePageFields {
  const hours = page.pixConfig.expiresInHours
  return {
    title: page.title,
    amount: page.amount,
    slug: page.slug,
    description: page.description,
    ...customerDataOf(page),
    neverExpires: hours === 0,
    expiresInHours: String(hours === 0 ? DEFAULT_EXPIRY_HOURS : hours),
    ...paymentsLimitOf(page.maxPayments),
  }
}

/** Text that isn't a number falls back to the default; 0 comes only from the switch. */
function editedHours({ neverExpires, expiresInHours }: Pick<EditChargePageFields, "neverExpires" | "expiresInHours">) {
  if (neverExpires) return 0
  const hours = Number.parseInt(expiresInHours, 10)
  return Number.isNaN(hours) ? DEFAULT_EXPIRY_HOURS : hours
}

function updateBody(form: EditChargePageFields): z.input<typeof updateChargePageBody> {
  const { allowAnonymous, ...customerData } = customerDataBody(form)
  return {
    title: form.title.trim(),
    slug: form.slug,
    amount: form.amount ?? 0,
    description: form.description.trim(),
    ...customerData,
    pixConfig: { allowAnonymous, expiresInHours: editedHours(form) },
    maxPayments: maxPaymentsBody(form),
  }
}

const hoursRule = z.refine<EditChargePageFields>(
  (form) => form.neverExpires || (editedHours(form) >= 1 && editedHours(form) <= MAX_EXPIRY_HOURS),
  { path: ["expiresInHours"], error: "A expiração deve ficar entre 1 e 168 horas", abort: true },
)

export const editChargePageSchema = z.pipe(
  z.pipe(z.custom<EditChargePageFields>().check(hoursRule), z.transform(updateBody)),
  updateChargePageBody,
)
