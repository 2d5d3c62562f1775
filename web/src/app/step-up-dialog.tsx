import { useState } from "react"
import { offersPasskeys } from "#api/passkeys.ts"
import { PasskeyStepUp } from "./step-up-by-passkey.tsx"
import { PasswordStepUp } from "./step-up-by-password.tsx"
import type { StepUpProps } from "./step-up-way.tsx"

/** A passkey comes first where there is one: a touch instead of a password and a code. */
export function StepUpDialog(props: StepUpProps) {
  const { methods } = props
  const hasPasskey = methods.includes("passkey") && offersPasskeys()
  const takesPassword = !methods.includes("passkey") || methods.includes("totp") || methods.includes("recovery_code")
  const [isByPassword, setByPassword] = useState(!hasPasskey)
  if (isByPassword) {
    return <PasswordStepUp {...props} onOther={hasPasskey ? () => setByPassword(false) : null} />
  }
  return <PasskeyStepUp {...props} onOther={takesPassword ? () => setByPassword(true) : null} />
}
