import { detailOf } from "#api/api-error.ts"
import { toast } from "#ui/toast.ts"
import { authFailure, type FailureTexts } from "./auth-failure.ts"

/** Says as a toast what the page doesn't, and returns what the page says; without an answer that is the exception. */
export function tellRecoveryFailure(error: unknown, texts: FailureTexts): string {
  const detail = detailOf(error)
  const { inline, toast: said } = authFailure(error, texts)
  if (said !== null) toast.error(said, detail)
  return detail === undefined ? inline : texts.broken
}
