import { type ComponentPropsWithRef, type ReactNode, useId, useState } from "react"
import { Button } from "./button.tsx"
import { Icon } from "./icon.tsx"

export interface Control {
  id: string
  "aria-invalid": true | undefined
  "aria-describedby": string | undefined
}

interface Props {
  label: string
  error?: string | undefined
  hint?: ReactNode
  /** Content next to the label, such as 'opcional' or a counter. */
  aside?: ReactNode
  className?: string
  children: (control: Control) => ReactNode
}

export function Field({ label, error, hint, aside, className = "", children }: Props) {
  const id = useId()
  const shows = error !== undefined && error !== ""
  const described = shows ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-label font-semibold text-t2">
          {label}
        </label>
        {aside !== undefined && <span className="text-meta text-t3">{aside}</span>}
      </div>
      {children({ id, "aria-invalid": shows ? true : undefined, "aria-describedby": described })}
      {shows ? (
        <p id={`${id}-error`} className="text-meta font-medium text-coral">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <div id={`${id}-hint`} className="text-meta text-t3">
            {hint}
          </div>
        )
      )}
    </div>
  )
}

/** An error of the whole form. The live region is always rendered, so that screen readers announce the change. */
export function FormAlert({ message, id }: { message: string | null | undefined; id?: string }) {
  const shows = message !== null && message !== undefined && message !== ""
  return (
    <div role="alert" id={id} className="empty:absolute">
      {shows && (
        <p className="flex items-start gap-2.5 rounded-m border border-coral-line bg-coral-bg px-4 py-3 text-label font-medium">
          <Icon name="alert" className="mt-px size-[18px] text-coral" />
          <span className="min-w-0">{message}</span>
        </p>
      )}
    </div>
  )
}

/** The frame that every control shares. */
export const controlClass =
  "w-full min-w-0 rounded-m border border-ctl bg-bg text-t1 transition-colors hover:border-t3 focus-visible:border-mint focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-coral disabled:opacity-60"

export function TextInput({ className = "", ...rest }: ComponentPropsWithRef<"input">) {
  return <input className={`${controlClass} h-11 px-3.5 ${className}`} {...rest} />
}

export function TextArea({ className = "", ...rest }: ComponentPropsWithRef<"textarea">) {
  return <textarea className={`${controlClass} min-h-24 px-3.5 py-2.5 ${className}`} {...rest} />
}

/** Offers to show the password, which prevents more mistyped ones than hiding it. */
export function PasswordInput(props: ComponentPropsWithRef<"input">) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <TextInput
        {...props}
        type={shown ? "text" : "password"}
        className="pr-24"
        autoCapitalize="none"
        spellCheck={false}
      />
      <button
        type="button"
        aria-pressed={shown}
        aria-label={shown ? "Ocultar o que foi digitado" : "Mostrar o que foi digitado"}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 rounded-m px-3.5 text-meta font-semibold text-t2 hover:text-t1"
      >
        {shown ? "Ocultar" : "Mostrar"}
      </button>
    </div>
  )
}

/** The text of a form's field; empty when there is none. */
export function typedText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}

interface CodeInputProps extends Omit<ComponentPropsWithRef<"input">, "children"> {
  error?: string | undefined
  /** False where the account has no authenticator app. */
  takesApp?: boolean
  /** False where no recovery code is left, or none would do. */
  takesRecovery?: boolean
}

/** The code of the authenticator app, with digits on a phone's keyboard, or a recovery code, which has letters. */
export function CodeInput({ error, takesApp = true, takesRecovery = true, ...rest }: CodeInputProps) {
  const [prefersRecovery, setPrefersRecovery] = useState(false)
  const isRecovery = prefersRecovery || !takesApp
  const input = isRecovery
    ? ({ autoComplete: "off", autoCapitalize: "characters", maxLength: 40 } as const)
    : ({ autoComplete: "one-time-code", inputMode: "numeric", maxLength: 8 } as const)
  return (
    <div className="grid justify-items-start gap-1">
      <Field
        className="w-full"
        label={isRecovery ? "Código de recuperação" : "Código de 6 dígitos"}
        hint={
          isRecovery ? "Um dos códigos que você guardou; cada um vale uma vez." : "Está no seu aplicativo autenticador."
        }
        error={error}
      >
        {(control) => (
          <TextInput
            key={String(isRecovery)}
            spellCheck={false}
            aria-required
            {...input}
            {...control}
            {...rest}
            className="font-mono tracking-widest"
          />
        )}
      </Field>
      {takesApp && takesRecovery && (
        <Button variant="ghost" className="-ml-3 px-3 text-label" onClick={() => setPrefersRecovery(!prefersRecovery)}>
          {isRecovery ? "Usar o aplicativo autenticador" : "Usar um código de recuperação"}
        </Button>
      )}
    </div>
  )
}
