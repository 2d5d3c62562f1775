import { useEffect, useRef } from "react"
import type { FieldErrors, FieldValues } from "react-hook-form"
import { ApiError, detailOf } from "#api/api-error.ts"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"

export const authTexts = {
  loginDone: "Login realizado com sucesso!",
  loginFailed: "Falha ao fazer login",
  loginBroken: "Falha ao fazer login. Verifique suas credenciais.",
  loginToast: "Erro ao fazer login",
  signupDone: "Cadastro realizado com sucesso!",
  signupFailed: "Falha ao criar conta",
  signupBroken: "Falha ao criar sua conta. Tente novamente.",
  signupToast: "Erro ao fazer cadastro",
  forgotDone: "Email de recuperação enviado. Verifique sua caixa de entrada.",
  forgotDoneToast: "Email de recuperação enviado com sucesso!",
  forgotFailed: "Falha ao enviar email de recuperação",
  forgotBroken: "Ocorreu um erro ao tentar recuperar sua senha.",
  forgotToast: "Erro na recuperação de senha",
  resetDone: "Senha redefinida com sucesso! Você será redirecionado para a página de login...",
  resetFailed: "Falha ao redefinir senha",
  resetBroken: "Ocorreu um erro ao redefinir sua senha.",
  resetToast: "Erro na redefinição de senha",
  emailNotConfirmed: "Falha ao confirmar e-mail",
  fillIn: "Preencha todos os campos obrigatórios",
} as const

/** Style of a link or button inside a sentence. */
export const sentenceLinkClass = "font-semibold text-mint underline-offset-4 hover:underline"

/** Style of a link that stands under a form, as tall as a thumb needs. */
export const textLinkClass = `inline-flex min-h-11 min-w-11 items-center ${sentenceLinkClass}`

interface FailureTexts {
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

/** Takes the focus, because the button that had it is disabled or gone. */
export function FormDone({ message }: { message: string }) {
  const notice = useRef<HTMLParagraphElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <p
      ref={notice}
      tabIndex={-1}
      className="flex items-start gap-2.5 rounded-m border border-mint-line bg-mint-bg px-4 py-3 text-label font-medium"
    >
      <Icon name="check" className="mt-px size-[18px] flex-none text-mint" />
      <span className="min-w-0">{message}</span>
    </p>
  )
}

/** Reported once for the whole form; the empty fields are only marked. */
export function missingFieldsAlert<T extends FieldValues>(errors: FieldErrors<T>): string | null {
  return Object.values(errors).some((error) => error?.message === authTexts.fillIn) ? authTexts.fillIn : null
}

/** A field's own message, unless the form reports it as a whole. */
export function ownMessage(error: { message?: string | undefined } | undefined): string | undefined {
  return error?.message === authTexts.fillIn ? undefined : error?.message
}

/**
 * Shows a toast with what the page leaves out and returns the message for the page; without an answer that is
 * `texts.broken`.
 */
export function recoveryFailureText(error: unknown, texts: FailureTexts): string {
  const detail = detailOf(error)
  const { inline, toast: said } = authFailure(error, texts)
  if (said !== null) toast.error(said, detail)
  return detail === undefined ? inline : texts.broken
}
