import { getRouteApi, Link, useRouter } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { useForm } from "react-hook-form"
import { pendingInvitation } from "#api/acting-shop.ts"
import { call } from "#api/client.ts"
import { session } from "#api/session.ts"
import { authTexts } from "#auth/auth-parts.tsx"
import { Button } from "#ui/button.tsx"
import { FormAlert } from "#ui/field.tsx"
import { FormPage, FormSteps } from "#ui/form-page.tsx"
import { lazyResolver, warmUp } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { authFailure, missingFieldsAlert, textLinkClass } from "../auth-parts.tsx"
import { LegalNote } from "./legal-note.tsx"
import { emptyAccount, emptyPerson, isAccountField, isPersonField } from "./register-form.ts"
import { AccountStep, PersonStep } from "./register-steps.tsx"

const loadRules = () => import("../form-rules.ts")
const loadAccountRules = () => loadRules().then((rules) => rules.accountResolver)
const loadPersonRules = () => loadRules().then((rules) => rules.personResolver)

export function RegisterPage() {
  const { step, goOn, goBack } = useStep()
  const account = useForm({ resolver: lazyResolver(loadAccountRules), defaultValues: emptyAccount })
  const person = useForm({ resolver: lazyResolver(loadPersonRules), defaultValues: emptyPerson })
  const busy = person.formState.isSubmitting
  const rootProblem = (account.formState.errors.root ?? person.formState.errors.root)?.message
  const stepStart = useStepFocus(step)

  const signup = useSubmit(send, failureOf, (path, message) => {
    if (isPersonField(path)) person.setError(path, { message })
    if (!isAccountField(path)) return
    account.setError(path, { message })
    goBack()
  })

  async function send(personData: typeof emptyPerson): Promise<void> {
    const body = { ...account.getValues(), ...personData, invitation: pendingInvitation() }
    const { token, data } = await call(heads.signup, { body })
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
    void (step === 1 ? account.handleSubmit(goOn) : person.handleSubmit(signup.submit))(event)
  }

  return (
    <FormPage wide title="Criar conta" lead={<FormSteps step={step} titles={["sua conta", "seus dados"]} />}>
      <form noValidate onSubmit={submit} onFocus={() => warmUp(loadRules)} className="grid gap-4">
        <FormAlert message={missingFieldsAlert(account.formState.errors) ?? rootProblem ?? signup.failure} />
        <div ref={stepStart} className="grid gap-4">
          {step === 1 ? <AccountStep form={account} /> : <PersonStep form={person} />}
        </div>
        <div className="mt-2 flex gap-3">
          {step === 2 && (
            <Button icon="arrowLeft" onClick={goBack}>
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
    </FormPage>
  )
}

const route = getRouteApi("/public/register")

/**
 * The step stands in the address, so that the browser's back returns to the first one. What was typed stays in memory
 * alone: a reload begins again, as a password belongs in no address and no storage.
 */
function useStep() {
  const isSecond = route.useSearch().step === 2
  const navigate = route.useNavigate()
  const router = useRouter()
  const [isFilled, setIsFilled] = useState(false)
  const isLost = isSecond && !isFilled
  useEffect(() => {
    if (isLost) void navigate({ search: {}, replace: true })
  }, [isLost, navigate])

  function goOn(): void {
    setIsFilled(true)
    void navigate({ search: { step: 2 } })
  }

  return { step: isSecond && isFilled ? 2 : 1, goOn, goBack: () => router.history.back() } as const
}

/** After a change of step the first field takes the focus, because the button that had it is gone. */
function useStepFocus(step: number) {
  const start = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    start.current?.querySelector("input")?.focus()
  }, [step])
  return start
}
