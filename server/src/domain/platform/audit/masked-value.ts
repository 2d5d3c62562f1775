import { maskedEmail } from "#kit/masked-email"

const hidden = "•••"

function lastOnes(text: string, count: number): string {
  return text.length > count ? hidden + text.slice(-count) : hidden
}

/** A key is an e-mail, a phone, a CPF or a random text: enough of it to tell two apart. */
function maskedKey(key: string): string {
  return key.includes("@") ? maskedEmail(key) : lastOnes(key, 4)
}

/** What was typed into a search may be anybody's e-mail or number. */
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

/** Who looks for who did what needs to see that it changed, not the whole of it. */
export function maskedValue(field: string, value: string): string {
  return masks[field]?.(value) ?? value
}
