import { Secret, TOTP } from "otpauth"

const periodSeconds = 30
const digits = 6
/** The phone's clock may be a step off either way. */
const toleratedSteps = 1

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The text in the QR code that authenticator apps read. */
export function otpauthUriOf(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  return totpOf(secret, { issuer, label: account }).toString()
}

export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** The 30 seconds that the code belongs to, by which it is spent; null when it is wrong or too old. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: toleratedSteps })
  return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, digits, period: periodSeconds, algorithm: "SHA1" })
}
