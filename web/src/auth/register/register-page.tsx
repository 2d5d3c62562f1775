import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "#api/client.ts"
import { session } from "#api/session.ts"
import { authTexts } from "#auth/auth-card.tsx"
import { Button } from "#ui/button.tsx"
import { FormAlert } from "#ui/field.tsx"
import { lazyResolver, warmUp } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { AuthCard, authFailure, missingFieldsAlert, textLinkClass } from "../auth-card.tsx"
import { LegalNote } from "./legal-note.tsx"
import { emptyAccount, emptyPerson, isAccountField, isPersonField, type Step } from "./register-form.ts"
import { AccountStep, PersonStep } from "./register-steps.tsx"

const loadRules = () => import("../form-rules.ts")
const loadAccountRules = () => loadRules().then((rules) => rules.accountResolver)
const loadPersonRules = () => loadRules().then((rules) => rules.personResolver)

export function RegisterPage() {
  const [step, setStep] = useState<Step>(1)
  const account = useForm({ resolver: lazyResolver(loadAccountRules), defaultValues: emptyAccount })
  const person = useForm({ resolver: lazyResolver(loadPersonRules), defaultValues: emptyPerson })
  const busy = person.formState.isSubmitting
  const rootProblem = (account.formState.errors.root ?? person.formState.errors.root)?.message
  const stepStart = useStepFocus(step)

  const signup = useSubmit(send, failureOf, (path, message) => {
    if (isPersonField(path)) person.setError(path, { message })
    if (!isAccountField(path)) return
    account.setError(path, { message })
    setStep(1)
  })

  async function send(personData: typeof emptyPerson): Promise<void> {
    const { token, data } = await call(heads.signup, { body: { ...account.getValues(), ...personData } })
    toast.success(authTexts.signupDone)
    session.open(token, data.user)
  }

  function failureOf(error: unknown): string {
    const { inline, toast: said } = authFailure(error, {
      failed: authTexts.signupFailed,
      broken: authTexts.signupBroken,
      toast: authTexts.signupToast,
    })
    if (said !== null) toast.error(said)
    return inline
  }

  function submit(event: FormEvent): void {
    signup.setFailure(null)
    void (step === 1 ? account.handleSubmit(() => setStep(2)) : person.handleSubmit(signup.submit))(event)
  }

  return (
    <AuthCard wide title="Criar conta" lead={<StepIndicator step={step} />}>
      <form noValidate onSubmit={submit} onFocus={() => warmUp(loadRules)} className="grid gap-4">
        <FormAlert message={missingFieldsAlert(account.formState.errors) ?? rootProblem ?? signup.failure} />
        <div ref={stepStart} className="grid gap-4">
          {step === 1 ? <AccountStep form={account} /> : <PersonStep form={person} />}
        </div>
        <div className="mt-2 flex gap-3">
          {step === 2 && (
            <Button icon="arrowLeft" onClick={() => setStep(1)}>
              Voltar
            </Button>
          )}
          <Button key={step} variant="primary" type="submit" disabled={busy} className="flex-1">
            {step === 1 ? "Próximo" : busy ? "Cadastrando..." : "Cadastrar"}
          </Button>
        </div>
      </form>
      <p className="mt-3 -mb-2.5 text-center text-t2">
        Já tem conta?{" "}
        <Link to="/login" className={textLinkClass}>
          Entrar
        </Link>
      </p>
      <LegalNote />
    </AuthCard>
  )
}

function StepIndicator({ step }: { step: Step }) {
  return (
    <div className="grid gap-2.5">
      <p>{step === 1 ? "Passo 1 de 2: sua conta" : "Passo 2 de 2: seus dados"}</p>
      <div aria-hidden="true" className="grid grid-cols-2 gap-1.5">
        <span className="h-1 rounded-full bg-mint" />
        <span className={`h-1 rounded-full transition-colors ${step === 2 ? "bg-mint" : "bg-s3"}`} />
      </div>
    </div>
  )
}

/** After a change of step the first field takes the focus, because the button that had it is gone. */
function useStepFocus(step: Step) {
  const start = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    start.current?.querySelector("input")?.focus()
  }, [step])
  return start
}
