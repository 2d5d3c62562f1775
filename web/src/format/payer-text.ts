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
