import { ApiError } from "#api/api-error.ts"

export interface FailureTexts {
  failed: string
  broken: string
  toast: string
}

interface AuthFailure {
  inline: string
  toast: string | null
}

/** The page shows the server's message; the toast appears only when it adds something. */
export function authFailure(error: unknown, texts: FailureTexts): AuthFailure {
  if (!(error instanceof ApiError)) return { inline: texts.broken, toast: texts.toast }
  if (error.message === "") return { inline: texts.failed, toast: texts.toast }
  return { inline: error.message, toast: error.status === 0 ? texts.toast : null }
}
