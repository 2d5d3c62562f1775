import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react"
import { IconButton } from "./icon-button.tsx"

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  /** Confirmations are alerts: they interrupt. */
  role?: "dialog" | "alertdialog"
  describedBy?: string
}

/** Open as long as it is mounted; Esc, the cross and a click outside ask to close it, and the focus goes back. */
export function Dialog({ title, onClose, children, footer, role = "dialog", describedBy }: Props) {
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
    // The keyboard's way to close is Esc, which the browser reports as `cancel`.
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onMouseDown={closeFromBackdrop}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="rise m-auto w-[min(520px,calc(100vw-24px))] rounded-xl border border-line-2 bg-s1 p-0 text-t1 shadow-float"
    >
      <div className="flex max-h-[calc(100dvh-48px)] flex-col">
        <div className="flex items-center justify-between gap-3 py-4 pr-3 pl-6">
          <h2 id={titleId} className="min-w-0 text-section font-[650] break-words">
            {title}
          </h2>
          <IconButton icon="close" label="Fechar" onClick={onClose} />
        </div>
        <div className="overflow-y-auto px-6 pb-6">{children}</div>
        {footer !== undefined && footer !== false && (
          <div className="flex flex-wrap justify-end gap-3 border-t border-line px-6 py-4 max-sm:flex-col-reverse">
            {footer}
          </div>
        )}
      </div>
    </dialog>
  )
}
