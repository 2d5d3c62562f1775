import { type ComponentPropsWithRef, useState } from "react"
import { TextInput } from "./text-input.tsx"

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
