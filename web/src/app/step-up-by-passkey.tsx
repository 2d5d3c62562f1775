import * as heads from "@tilinta/contract/heads"
import { useEffect, useRef, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { askPasskey, PasskeyProblem } from "#api/passkeys.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { notConfirmed, OtherWay, type WayProps, Why } from "./step-up-way.tsx"

export function PasskeyStepUp({ onConfirmed, onClose, onOther }: WayProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isWaiting, setIsWaiting] = useState(false)
  useEffect(() => button.current?.focus(), [])

  async function confirm(): Promise<void> {
    setFailure(null)
    setIsWaiting(true)
    try {
      const { data } = await call(heads.stepUpOptions)
      await call(heads.stepUp, { body: { credential: await askPasskey(data.publicKey) } })
      onConfirmed()
    } catch (error) {
      setIsWaiting(false)
      setFailure(error instanceof PasskeyProblem ? error.message : messageOf(error, notConfirmed))
      button.current?.focus()
    }
  }

  return (
    <Dialog
      title="Confirme que é você"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button ref={button} look="primary" aria-disabled={isWaiting} onClick={() => !isWaiting && void confirm()}>
            {isWaiting ? "Esperando o aparelho..." : "Usar chave de acesso"}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Why />
        <FormAlert message={failure} />
        <OtherWay onOther={onOther}>Usar a senha</OtherWay>
      </div>
    </Dialog>
  )
}
