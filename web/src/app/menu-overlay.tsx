import { type MouseEvent, useLayoutEffect, useRef } from "react"
import { IconButton } from "#ui/button.tsx"
import { Sidebar } from "./sidebar.tsx"

export function MenuOverlay({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  function closeFromOutside(event: MouseEvent<HTMLDialogElement>): void {
    if (event.target === event.currentTarget) onClose()
    else if ((event.target as Element).closest("a") !== null) onClose()
  }

  return (
    <dialog
      ref={ref}
      aria-label="Menu"
      onClick={closeFromOutside}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="slide-in m-0 h-dvh max-h-none w-[min(300px,calc(100vw-56px))] border-0 border-r border-line bg-side p-0 text-t1"
    >
      <div className="@container h-full">
        <IconButton icon="close" label="Fechar menu" onClick={onClose} className="absolute top-4 right-3" />
        <Sidebar />
      </div>
    </dialog>
  )
}
