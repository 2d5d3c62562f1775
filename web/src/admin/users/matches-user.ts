import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { holdsText } from "#format/holds-text.ts"

/** Filters the loaded rows at once, while the server's search is still under way. */
export function matchesUser({ name, email, cpf }: Pick<UserView, "name" | "email" | "cpf">, typed: string): boolean {
  if (holdsText(name, typed) || holdsText(email, typed)) return true
  const digits = /^[\d\s.-]+$/.test(typed) ? typed.replace(/\D/g, "") : ""
  return digits !== "" && cpf.includes(digits)
}
