import type { FieldErrors, FieldValues } from "react-hook-form"
import { authTexts } from "./auth-texts.ts"

/** Reported once for the whole form; the empty fields are only marked. */
export function missingFieldsAlert<T extends FieldValues>(errors: FieldErrors<T>): string | null {
  return Object.values(errors).some((error) => error?.message === authTexts.fillIn) ? authTexts.fillIn : null
}

/** A field's own message, unless the form reports it as a whole. */
export function ownMessage(error: { message?: string | undefined } | undefined): string | undefined {
  return error?.message === authTexts.fillIn ? undefined : error?.message
}
