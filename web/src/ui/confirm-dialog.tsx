import { type ReactNode, useEffect, useId, useRef } from "react"
import { Button, type ButtonLook } from "./button.tsx"
import { Dialog } from "./dialog.tsx"

interface Props {
  title: string
  children: ReactNode
  /** The verb on the confirming button. */
  verb: string
  safeVerb?: string
  /** Style of the confirming button. */
  look?: ButtonLook
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: Props) {
  const { title, children, verb, safeVerb = "Voltar", look = "danger", busy, onConfirm, onClose } = props
  const safeChoice = useRef<HTMLButtonElement>(null)
  const textId = useId()
  useEffect(() => safeChoice.current?.focus(), [])

  return (
    <Dialog
      title={title}
      role="alertdialog"
      describedBy={textId}
      onClose={onClose}
      footer={
        <>
          <Button ref={safeChoice} onClick={onClose}>
            {safeVerb}
          </Button>
          <Button look={look} onClick={onConfirm} disabled={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <div id={textId} className="grid gap-3 text-t2">
        {children}
      </div>
    </Dialog>
  )
}
