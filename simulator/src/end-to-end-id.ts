import { randomAlphanumerics } from "./random-text.ts"

/** No bank has it: the payer's bank is as invented as the payer. */
const payerIspb = "99999999"

/** E + ISPB + yyyyMMddHHmm in UTC + 11 alphanumerics = 32 characters. */
export function newEndToEndId(paidAt: number): string {
  const minute = new Date(paidAt).toISOString().replace(/\D/g, "").slice(0, 12)
  return `E${payerIspb}${minute}${randomAlphanumerics(11)}`
}
