import { randomAlphanumerics } from "./random-text.ts"

/** No bank has it: the payer's bank is as invented as the payer. */
const payerIspb = "99999999"

/** E + ISPB + yyyyMMddHHmm in UTC + 11 alphanumerics = 32 characters. */
export function newEndToEndId(paidAt: number): string {
  return `E${payerIspb}${minuteOf(paidAt)}${randomAlphanumerics(11)}`
}

/** The same for money that goes back, with a D. */
export function newReturnId(requestedAt: number): string {
  return `D${payerIspb}${minuteOf(requestedAt)}${randomAlphanumerics(11)}`
}

function minuteOf(moment: number): string {
  return new Date(moment).toISOString().replace(/\D/g, "").slice(0, 12)
}
