import type { FieldErrors, FieldValues } from "react-hook-form"
import { authTexts } from "./auth-texts.ts"

/** Said once for the whole form; the empty fields are only marked. */
export function missingFieldsAlert<T extends FieldValues>(errors: FieldErrors<T>): string | null {
  return Object.values(errors).some((error) => error?.message === authTexts.fillIn) ? authTexts.fillIn : null
}

/** What stands beside a field: everything but what the form says as a whole. */
export function ownMessage(error: { message?: string | undefined } | undefined): string | undefined {
  return error?.message === authTexts.fillIn ? undefined : error?.message
}
