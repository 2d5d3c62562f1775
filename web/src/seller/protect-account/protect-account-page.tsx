import { useQuery } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { deviceName, type RequiredAction } from "@tilinta/contract/vocabulary/people"
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { ApiError, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { PasskeyProblem } from "#api/passkeys.ts"
import { logOut, renewUser } from "#api/session.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { QueryFailure } from "#ui/card.tsx"
import { CodeInput, Field, FormAlert, PasswordInput, typedText } from "#ui/field.tsx"
import { FormPage, FormSteps } from "#ui/form-page.tsx"
import { Icon, type IconName } from "#ui/icon.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { obstacleTo } from "../profile/passkeys-part.tsx"
import { type NewPassword, PasswordForm } from "../profile/password-card.tsx"
import { addPasskey, type BegunTotp, beginPasskey, beginTotp, passkeysQuery } from "../profile/security-data.ts"
import { RecoveryCodes, TotpSecret, useTotpCode } from "../profile/totp-dialog.tsx"

type Step =
  | { name: "password" }
  | { name: "choice" }
  | { name: "totp"; begun: BegunTotp }
  | { name: "codes"; codes: string[] }

const numbers = { password: 1, choice: 2, totp: 2, codes: 3 } as const satisfies Record<Step["name"], number>

interface Props {
  email: string
  action: RequiredAction
}

/** Takes the place of the app until the account has a password of its own and a second factor: no other call is let in. */
export function ProtectAccountPage({ email, action }: Props) {
  const [step, setStep] = useState<Step>({ name: "password" })
  const content = useStepFocus(step.name)
  // Once the password is new, the factor is what is missing, and the first step keeps its name.
  const [first] = useState(action === "new_password" ? "a sua senha" : "confirme a senha")
  return (
    <FormPage
      wide
      title="Proteja a sua conta"
      lead={<FormSteps step={numbers[step.name]} titles={[first, "segundo fator", "códigos de recuperação"]} />}
    >
      <div ref={content} className="grid gap-5">
        {step.name === "password" && (
          <PasswordStep email={email} action={action} onDone={() => setStep({ name: "choice" })} />
        )}
        {step.name === "choice" && (
          <ChoiceStep
            onTotp={(begun) => setStep({ name: "totp", begun })}
            onCodes={(codes) => setStep({ name: "codes", codes })}
          />
        )}
        {step.name === "totp" && (
          <TotpStep
            begun={step.begun}
            onCodes={(codes) => setStep({ name: "codes", codes })}
            onBack={() => setStep({ name: "choice" })}
          />
        )}
        {step.name === "codes" && <CodesStep codes={step.codes} />}
      </div>
      {step.name !== "codes" && (
        <p className="mt-5 -mb-2.5 text-center">
          <Button variant="ghost" onClick={logOut}>
            Sair
          </Button>
        </p>
      )}
    </FormPage>
  )
}

/** After a change of step its heading takes the focus, because the button that had it is gone. */
function useStepFocus(step: string) {
  const content = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    content.current?.querySelector("h2")?.focus()
  }, [step])
  return content
}

function StepTitle({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <h2 tabIndex={-1} className="text-section font-[650] outline-none">
        {title}
      </h2>
      <p className="text-t2">{children}</p>
    </div>
  )
}

function PasswordStep({ email, action, onDone }: Props & { onDone: () => void }) {
  async function change(body: NewPassword): Promise<void> {
    await confirm(body.passwordCurrent, "passwordCurrent")
    await call(heads.updateMyPassword, { body })
    await renewUser()
    onDone()
  }

  if (action === "new_password") {
    return (
      <>
        <StepTitle title="Crie uma senha só sua">
          A senha com que você entrou foi mostrada no terminal do servidor, e outras pessoas podem ter visto.
        </StepTitle>
        <PasswordForm email={email} verb="Continuar" busyVerb="Salvando..." isPrimary send={change} />
      </>
    )
  }
  return (
    <>
      <StepTitle title="Confirme que é você">
        Esta conta mexe com dinheiro: falta um segundo fator, para que a senha sozinha não a abra. Leva um minuto.
      </StepTitle>
      <ConfirmPassword email={email} onDone={onDone} />
    </>
  )
}

/** A session that was just confirmed may change the account's security, for five minutes. */
async function confirm(password: string, field: "password" | "passwordCurrent"): Promise<void> {
  try {
    await call(heads.stepUp, { body: { password } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "validation_failed") throw error
    throw new ApiError(error.status, error.code, error.message, [{ path: field, message: error.message }])
  }
}

function ConfirmPassword({ email, onDone }: { email: string; onDone: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const confirming = useSubmit(
    async (password: string) => {
      await confirm(password, "password")
      onDone()
    },
    (error) => refuse(messageOf(error, sellerTexts.factorNotChanged)),
  )

  function refuse(message: string): string {
    form.current?.querySelector<HTMLInputElement>("[name=password]")?.focus()
    return message
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const password = typedText(new FormData(event.currentTarget), "password")
    if (password === "") confirming.setFailure(refuse("Informe a sua senha."))
    else void confirming.submit(password)
  }

  return (
    <form ref={form} noValidate aria-label="Confirmar a senha" onSubmit={submit} className="grid gap-4">
      <input hidden type="text" autoComplete="username" value={email} readOnly />
      <Field label="Senha" error={confirming.failure ?? undefined}>
        {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" aria-required />}
      </Field>
      <Button variant="primary" type="submit" disabled={confirming.busy}>
        {confirming.busy ? "Confirmando..." : "Continuar"}
      </Button>
    </form>
  )
}

interface ChoiceStepProps {
  onTotp: (begun: BegunTotp) => void
  onCodes: (codes: string[]) => void
}

function ChoiceStep({ onTotp, onCodes }: ChoiceStepProps) {
  const known = useQuery({ ...passkeysQuery, refetchOnWindowFocus: false })
  const totp = useSubmit(async () => onTotp(await beginTotp()), failureOf)
  const passkey = useSubmit(
    async () => onCodes(await addPasskey(await beginPasskey(), deviceName(navigator.userAgent))),
    failureOf,
  )
  const obstacle = known.data === undefined ? null : obstacleTo(known.data.origin)
  const takesPasskey = known.data !== undefined && obstacle === null
  return (
    <>
      <StepTitle title="Escolha o segundo fator">
        Um basta, e você pode acrescentar o outro depois, no perfil.
      </StepTitle>
      <QueryFailure query={known} failed={sellerTexts.passkeysFailed} detailed />
      <FormAlert message={passkey.failure ?? totp.failure} />
      <ul className="grid gap-3">
        <Way
          icon="lock"
          name="Chave de acesso (passkey)"
          hint={obstacle ?? "A digital, o rosto ou o PIN deste aparelho: depois você entra sem senha nem código."}
        >
          {takesPasskey && (
            <Button variant="primary" disabled={passkey.busy || totp.busy} onClick={() => void passkey.submit()}>
              {passkey.busy ? "Esperando o aparelho..." : "Criar chave de acesso"}
            </Button>
          )}
        </Way>
        <Way icon="clock" name="Aplicativo autenticador" hint="Um código novo a cada 30 segundos, no seu celular.">
          <Button
            variant={obstacle === null ? "secondary" : "primary"}
            disabled={passkey.busy || totp.busy}
            onClick={() => void totp.submit()}
          >
            Usar aplicativo autenticador
          </Button>
        </Way>
      </ul>
    </>
  )
}

function failureOf(error: unknown): string {
  return error instanceof PasskeyProblem ? error.message : messageOf(error, sellerTexts.factorNotChanged)
}

interface WayProps {
  icon: IconName
  name: string
  hint: string
  children: ReactNode
}

function Way({ icon, name, hint, children }: WayProps) {
  return (
    <li className="grid gap-4 rounded-l border border-line-2 bg-s2 p-4">
      <div className="flex gap-3.5">
        <span className="grid size-11 flex-none place-items-center rounded-m border border-mint-line bg-mint-bg text-mint">
          <Icon name={icon} />
        </span>
        <div className="min-w-0">
          <h3 className="font-[650]">{name}</h3>
          <p className="text-label text-t2">{hint}</p>
        </div>
      </div>
      {children}
    </li>
  )
}

interface TotpStepProps {
  begun: BegunTotp
  onCodes: (codes: string[]) => void
  onBack: () => void
}

function TotpStep({ begun, onCodes, onBack }: TotpStepProps) {
  const { form, problem, busy, failure, submit } = useTotpCode(onCodes)
  return (
    <>
      <StepTitle title="Aplicativo autenticador">Leia o QR code e confirme com o primeiro código.</StepTitle>
      <form ref={form} noValidate aria-label="Ativar aplicativo autenticador" onSubmit={submit} className="grid gap-5">
        <TotpSecret begun={begun} />
        <CodeInput name="code" error={problem} takesRecovery={false} />
        <FormAlert message={failure} />
        <div className="flex gap-3">
          <Button icon="arrowLeft" onClick={onBack}>
            Voltar
          </Button>
          <Button variant="primary" type="submit" disabled={busy} className="flex-1">
            {busy ? "Ativando..." : "Ativar"}
          </Button>
        </div>
      </form>
    </>
  )
}

function CodesStep({ codes }: { codes: readonly string[] }) {
  const { submit, busy, failure } = useSubmit(renewUser, (error) => messageOf(error, sellerTexts.profileFailed))
  return (
    <>
      <h2 tabIndex={-1} className="text-section font-[650] outline-none">
        Guarde os seus códigos de recuperação
      </h2>
      <RecoveryCodes codes={codes} />
      <FormAlert message={failure} />
      <Button variant="primary" disabled={busy} onClick={() => void submit()}>
        Já guardei os códigos
      </Button>
    </>
  )
}
