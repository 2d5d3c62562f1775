import { fillDigits } from "./digits.ts"

export const CPF_MAX_LENGTH = 14

/** 000.000.000-00, filled in as digits are typed. */
export function maskCpf(text: string): string {
  return fillDigits("000.000.000-00", text.replace(/\D/g, ""))
}
