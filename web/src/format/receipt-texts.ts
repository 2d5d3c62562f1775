import { erasedDataLabel } from "@tilinta/contract/vocabulary/payer-data"

interface OfPayer {
  customerInfo: { name: string }
  customerDataErasedAt: string | null
}

/** The payer's name, or why there is none. */
export function payerText({ customerInfo, customerDataErasedAt }: OfPayer): string {
  if (customerDataErasedAt !== null) return erasedDataLabel
  return customerInfo.name || "Pagamento anônimo"
}

/** How often a transaction's receipt was verified, in words, once it was. */
export function verifiedText(times: number): string {
  return times === 1 ? "verificado 1 vez" : `verificado ${times} vezes`
}

/** The origin of payers' pages, as the server says: this one, unless they have a host of their own. */
export function payersOrigin(): string {
  return document.documentElement.dataset["payers"] || window.location.origin
}
