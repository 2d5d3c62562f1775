import { type PayerData, type PayerField, requiredFields } from "@tilinta/contract/vocabulary/payer-data"
import { phoneDigitsOf } from "@tilinta/contract/vocabulary/phone"
import { isReadableLine } from "@tilinta/contract/vocabulary/readable-text"
import type { ChargePage } from "#domain/selling/charge-pages/charge-page"

/** `?name=&email=&cpf=&phone=`, by which the seller's shop fills in what it knows of the payer. */
export type SentData = { [Field in PayerField]?: string | string[] }

const LONGEST = 200

/** Only what the page asks for, and nothing that a person couldn't have typed; the payer still sends it themselves. */
export function prefilled(
  query: SentData,
  page: Pick<ChargePage, "allowAnonymous" | "requireName" | "requireEmail" | "requireCpf" | "requirePhone">,
): PayerData {
  if (page.allowAnonymous) return {}
  return Object.fromEntries(requiredFields(page).map((field) => [field, typedAs(field, query[field])]))
}

function typedAs(field: PayerField, sent: string | string[] | undefined): string {
  const text = typeof sent === "string" ? sent.trim() : ""
  if (text.length > LONGEST || !isReadableLine(text)) return ""
  return field === "phone" ? (phoneDigitsOf(text) ?? "") : text
}
