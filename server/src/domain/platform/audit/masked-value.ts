import { maskedEmail } from "#kit/masked-email"

const hidden = "•••"

function lastOnes(text: string, count: number): string {
  return text.length > count ? hidden + text.slice(-count) : hidden
}

/** A Pix key may be an e-mail, phone or CPF: enough of it is shown to tell two apart. */
function maskedKey(key: string): string {
  return key.includes("@") ? maskedEmail(key) : lastOnes(key, 4)
}

/** A search text may contain anybody's e-mail or number. */
function maskedSearch(text: string): string {
  return text.replace(/\S+@\S+/g, maskedEmail).replace(/\d[\d.\s/-]{5,}\d/g, (number) => lastOnes(number, 4))
}

const masks: Readonly<Record<string, (text: string) => string>> = {
  email: maskedEmail,
  phone: (text) => lastOnes(text, 4),
  search: maskedSearch,
  "address.street": () => hidden,
  "address.number": () => hidden,
  "address.complement": () => hidden,
  "address.neighborhood": () => hidden,
  "address.zipCode": (text) => lastOnes(text, 3),
  "bankAccount.agency": (text) => lastOnes(text, 2),
  "bankAccount.account": (text) => lastOnes(text, 3),
  "bankAccount.pixKey": maskedKey,
}

/** An auditor must see that it changed, not the value. */
export function maskedValue(field: string, value: string): string {
  return masks[field]?.(value) ?? value
}
