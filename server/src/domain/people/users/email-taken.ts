import { DomainError } from "#kit/domain-error"

export function emailTaken(): DomainError {
  const message = "Este e-mail já está cadastrado."
  return new DomainError("email_taken", { message, errors: [{ path: "email", message }] })
}

/** Recognises the database's error for an e-mail that another user has. */
export function isEmailConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown }
  return code === "23505" && constraint === "users_by_email"
}
