import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { holdsText } from "#format/holds-text.ts"

/** Filters what is loaded at once, while the server is still being asked. */
export function matchesUser({ name, email, cpf }: Pick<UserView, "name" | "email" | "cpf">, typed: string): boolean {
  if (holdsText(name, typed) || holdsText(email, typed)) return true
  const digits = /^[\d\s.-]+$/.test(typed) ? typed.replace(/\D/g, "") : ""
  return digits !== "" && cpf.includes(digits)
}
