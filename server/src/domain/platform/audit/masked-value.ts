import { maskedEmail } from "#kit/masked-email"
import { hiddenText, lastOnes, maskedPixKey } from "#kit/masked-pix-key"

/** A search text may contain anybody's e-mail or number. */
function maskedSearch(text: string): string {
  return text.replace(/\S+@\S+/g, maskedEmail).replace(/\d[\d.\s/-]{5,}\d/g, (number) => lastOnes(number, 4))
}

const masks: Readonly<Record<string, (text: string) => string>> = {
  email: maskedEmail,
  phone: (text) => lastOnes(text, 4),
  search: maskedSearch,
  "address.street": () => hiddenText,
  "address.number": () => hiddenText,
  "address.complement": () => hiddenText,
  "address.neighborhood": () => hiddenText,
  "address.zipCode": (text) => lastOnes(text, 3),
  "bankAccount.agency": (text) => lastOnes(text, 2),
  "bankAccount.account": (text) => lastOnes(text, 3),
  "bankAccount.pixKey": maskedPixKey,
}

/** An auditor must see that it changed, not the value. */
export function maskedValue(field: string, value: string): string {
  return masks[field]?.(value) ?? value
}
