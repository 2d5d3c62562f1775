import { detailOf } from "#api/api-error.ts"
import { toast } from "#ui/toast.ts"
import { authFailure, type FailureTexts } from "./auth-failure.ts"

/**
 * Shows a toast with what the page leaves out and returns the message for the page; without an answer that is
 * `texts.broken`.
 */
export function tellRecoveryFailure(error: unknown, texts: FailureTexts): string {
  const detail = detailOf(error)
  const { inline, toast: said } = authFailure(error, texts)
  if (said !== null) toast.error(said, detail)
  return detail === undefined ? inline : texts.broken
}
