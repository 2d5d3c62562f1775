import "#styles/recovery-codes.css"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { createPortal } from "react-dom"
import { ApiError, messageOf } from "#api/api-error.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Dialog, FormDialog } from "#ui/dialog.tsx"
import { CodeInput, FormAlert, typedText } from "#ui/field.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { type BegunTotp, confirmTotp } from "./security-data.ts"

/** Sends the code that the app shows; a wrong one takes the focus back. */
export function useTotpCode(onEnrolled: (recoveryCodes: string[]) => void) {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const confirming = useSubmit(async (code: string) => onEnrolled(await confirmTotp(code)), failureOf)

  function refuse(message: string): null {
    setProblem(message)
    form.current?.querySelector<HTMLInputElement>("[name=code]")?.focus()
    return null
  }

  function failureOf(error: unknown): string | null {
    const message = messageOf(error, sellerTexts.factorNotChanged)
    return error instanceof ApiError && error.code === "second_factor_invalid" ? refuse(message) : message
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const code = typedText(new FormData(event.currentTarget), "code").trim()
    setProblem(undefined)
    confirming.setFailure(null)
    if (code === "") refuse("Informe o código que o aplicativo mostra.")
    else void confirming.submit(code)
  }

  return { form, problem, busy: confirming.busy, failure: confirming.failure, submit }
}

interface Props {
  begun: BegunTotp
  onEnrolled: (recoveryCodes: string[]) => void
  onClose: () => void
}

export function TotpDialog({ begun, onEnrolled, onClose }: Props) {
  const { form, problem, busy, failure, submit } = useTotpCode(onEnrolled)
  return (
    <FormDialog
      ref={form}
      title="Ativar aplicativo autenticador"
      verb={busy ? "Ativando..." : "Ativar"}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
      className="grid gap-5"
    >
      <TotpSecret begun={begun} />
      <CodeInput name="code" error={problem} takesRecovery={false} />
      <FormAlert message={failure} />
    </FormDialog>
  )
}

/** The secret for the app, to scan or to type. */
export function TotpSecret({ begun }: { begun: BegunTotp }) {
  return (
    <>
      <div className="grid items-center gap-5 sm:grid-cols-[176px_minmax(0,1fr)]">
        <img
          src={begun.qrCode}
          alt="QR code para o aplicativo autenticador"
          width={176}
          height={176}
          className="mx-auto rounded-m"
        />
        <ol className="grid list-decimal gap-2 pl-5 text-t2 marker:text-t3">
          <li>Abra um aplicativo autenticador no celular: Google Authenticator, 1Password, Aegis ou outro.</li>
          <li>Leia este QR code com ele.</li>
          <li>Digite aqui embaixo o código que ele mostra.</li>
        </ol>
      </div>
      <div className="grid gap-2">
        <a href={begun.otpauthUri} className={buttonClass("secondary", "sm:hidden")}>
          Abrir no aplicativo deste celular
        </a>
        <p className="text-label text-t2">Não consegue ler? Digite esta chave no aplicativo:</p>
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 rounded-m border border-line-2 bg-bg px-3.5 py-2.5 font-mono text-[13px] break-all">
            {begun.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
          </code>
          <CopyButton
            text={begun.secret}
            label="Copiar chave"
            title="Copiar chave"
            done="Chave copiada"
            failed="Não foi possível copiar: selecione a chave e copie"
          />
        </div>
      </div>
    </>
  )
}

export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      title="Guarde os seus códigos de recuperação"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Já guardei os códigos
        </Button>
      }
    >
      <RecoveryCodes codes={codes} />
    </Dialog>
  )
}

/** Shown once: the server keeps only digests. On paper the codes stand alone. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  useEffect(() => {
    document.documentElement.dataset.recoveryCodes = ""
    return () => {
      delete document.documentElement.dataset.recoveryCodes
    }
  }, [])

  return (
    <>
      <div className="grid gap-4">
        <p className="text-t2">
          Se você perder o celular, só estes códigos abrem a conta. Cada um vale uma vez, e eles não aparecem de novo.
        </p>
        <Codes codes={codes} />
        <div className="grid gap-3 sm:grid-cols-2">
          <CopyButton
            text={codes.join("\n")}
            label="Copiar códigos"
            done="Códigos copiados"
            failed="Não foi possível copiar: selecione os códigos e copie"
            variant="secondary"
          />
          <Button onClick={() => window.print()}>Imprimir</Button>
        </div>
      </div>
      {createPortal(
        <section aria-hidden="true" className="recovery-codes-sheet">
          <p className="text-section font-[650]">Códigos de recuperação</p>
          <p>{document.location.host}. Cada código vale uma vez. Guarde esta folha como se fosse dinheiro.</p>
          <Codes codes={codes} />
        </section>,
        document.body,
      )}
    </>
  )
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <ol className="grid justify-center gap-x-6 gap-y-1 rounded-m border border-line-2 bg-bg px-4 py-3 font-mono text-[13px] sm:text-[14px]">
      {codes.map((code) => (
        <li key={code} className="whitespace-nowrap tabular-nums">
          {code}
        </li>
      ))}
    </ol>
  )
}
