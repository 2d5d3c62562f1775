import { maskedEmail } from "./masked-email.ts"

export const hiddenText = "•••"

export function lastOnes(text: string, count: number): string {
  return text.length > count ? hiddenText + text.slice(-count) : hiddenText
}

/** A Pix key may be an e-mail, phone or CPF: enough of it is shown to tell two apart. */
export function maskedPixKey(key: string): string {
  return key.includes("@") ? maskedEmail(key) : lastOnes(key, 4)
}
