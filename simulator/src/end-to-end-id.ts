import { randomAlphanumerics } from "./random-text.ts"

/** An ISPB that no bank has: the payer's bank is as fictitious as the payer. */
const payerIspb = "99999999"

/** E + ISPB + yyyyMMddHHmm in UTC + 11 alphanumerics = 32 characters. */
export function newEndToEndId(paidAt: number): string {
  return `E${payerIspb}${minuteOf(paidAt)}${randomAlphanumerics(11)}`
}

/** The id of a return: the same format with a D. */
export function newReturnId(requestedAt: number): string {
  return `D${payerIspb}${minuteOf(requestedAt)}${randomAlphanumerics(11)}`
}

function minuteOf(moment: number): string {
  return new Date(moment).toISOString().replace(/\D/g, "").slice(0, 12)
}
