import { type ComponentPropsWithRef, useState } from "react"
import { Button } from "./button.tsx"
import { Field } from "./field.tsx"
import { TextInput } from "./text-input.tsx"

interface Props extends Omit<ComponentPropsWithRef<"input">, "children"> {
  error?: string | undefined
  /** False where the account has no authenticator app. */
  takesApp?: boolean
  /** False where no recovery code is left, or none would do. */
  takesRecovery?: boolean
}

/** The code of the authenticator app, with digits on a phone's keyboard, or a recovery code, which has letters. */
export function CodeInput({ error, takesApp = true, takesRecovery = true, ...rest }: Props) {
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
        <Button look="ghost" className="-ml-3 px-3 text-label" onClick={() => setPrefersRecovery(!prefersRecovery)}>
          {isRecovery ? "Usar o aplicativo autenticador" : "Usar um código de recuperação"}
        </Button>
      )}
    </div>
  )
}
