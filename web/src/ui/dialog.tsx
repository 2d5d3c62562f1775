import { useBlocker } from "@tanstack/react-router"
import {
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from "react"
import { currentToken } from "#api/session-token.ts"
import "#styles/dialog.css"
import { Button, type ButtonVariant, IconButton } from "./button.tsx"

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  /** Confirmations are `alertdialog`, since they interrupt. */
  role?: "dialog" | "alertdialog"
  describedBy?: string
  /** `sheet` fills a phone's screen and scrolls its own content. */
  variant?: "card" | "sheet"
}

/** Open as long as it is mounted. Esc, the cross and a click outside request closing, and the focus returns. */
export function Dialog({ title, onClose, children, footer, role = "dialog", describedBy, variant = "card" }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  function closeFromBackdrop(event: MouseEvent<HTMLDialogElement>): void {
    if (event.target === event.currentTarget) onClose()
  }

  return (
    // Keyboard users close it by Esc, which the browser reports as `cancel`.
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onMouseDown={closeFromBackdrop}
      onCancel={(event) => {
        // React hands on what a dialog inside was asked, and a file that wasn't chosen.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      className={`dialog-${variant} rise bg-s1 p-0 text-t1 shadow-float`}
    >
      <div className="flex flex-col">
        <div className="flex items-center justify-between gap-3 py-4 pr-3 pl-6">
          <h2 id={titleId} className="min-w-0 text-section font-[650] break-words">
            {title}
          </h2>
          <IconButton icon="close" label="Fechar" onClick={onClose} />
        </div>
        <div className={variant === "sheet" ? "flex min-h-0 flex-1 flex-col" : "overflow-y-auto px-6 pb-6"}>
          {children}
        </div>
        {footer !== undefined && footer !== false && (
          <div className="flex flex-wrap justify-end gap-3 border-t border-line px-6 py-4 max-sm:flex-col-reverse">
            {footer}
          </div>
        )}
      </div>
    </dialog>
  )
}

interface ConfirmDialogProps {
  title: string
  children: ReactNode
  /** The verb on the confirming button. */
  verb: string
  safeVerb?: string
  /** Style of the confirming button. */
  variant?: ButtonVariant
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, verb, safeVerb = "Voltar", variant = "danger", busy, onConfirm, onClose } = props
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
          <Button variant={variant} onClick={onConfirm} disabled={busy}>
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

/** Asks before unsaved input is lost by a link, by 'back' or by closing the tab. Logging out needs no question. */
export function UnsavedChanges({ when }: { when: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname && currentToken() !== null,
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  if (blocker.status !== "blocked") return null
  return (
    <ConfirmDialog
      title="Sair sem salvar?"
      verb="Descartar e sair"
      safeVerb="Continuar editando"
      busy={false}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>O que você alterou nesta página ainda não foi salvo e será perdido.</p>
    </ConfirmDialog>
  )
}

interface FormDialogProps extends Pick<Props, "title" | "onClose" | "children"> {
  /** The text of the button that submits the form. */
  verb: ReactNode
  cancelVerb?: string
  busy?: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  className?: string
  ref?: Ref<HTMLFormElement>
}

/** A dialog with a form: leave it, or submit it once. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    onClose,
    children,
    verb,
    cancelVerb = "Cancelar",
    busy = false,
    onSubmit,
    className = "grid gap-4",
    ref,
  } = props
  const formId = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{cancelVerb}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        ref={ref}
        id={formId}
        noValidate
        aria-label={title}
        onSubmit={(event) => void onSubmit(event)}
        className={className}
      >
        {children}
      </form>
    </Dialog>
  )
}
