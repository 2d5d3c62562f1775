import { fillDigits } from "./digits.ts"

export const ZIP_CODE_MAX_LENGTH = 9

export function maskZipCode(text: string): string {
  return fillDigits("00000-000", text.replace(/\D/g, ""))
}
