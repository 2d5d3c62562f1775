import { useEffect, useRef, useState, useSyncExternalStore } from "react"
import { IconButton } from "./button.tsx"
import { Icon, type IconName } from "./icon.tsx"
import { currentToasts, dismissToast, subscribeToToasts, type Toast, type ToastKind } from "./toast.ts"

const shownMs = 5000

const icons = { success: "check", error: "alert", info: "info" } as const satisfies Record<ToastKind, IconName>
const tones = {
  success: "bg-mint-bg text-mint",
  error: "bg-coral-bg text-coral",
  info: "bg-sky-bg text-sky",
} as const satisfies Record<ToastKind, string>

/** Above everything: a popover lies over open dialogs too when it is shown after them. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts)
  const [held, setHeld] = useState(false)
  const ref = useRef<HTMLElement>(null)

  useEffect(() => {
    const popover = ref.current
    if (popover === null || typeof popover.showPopover !== "function") return
    if (popover.matches(":popover-open")) popover.hidePopover()
    if (toasts.length > 0) popover.showPopover()
    else setHeld(false)
  }, [toasts])

  return (
    <>
      <section
        ref={ref}
        popover="manual"
        aria-label="Notificações"
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
        className="fixed inset-auto top-3 right-3 m-0 w-[min(400px,calc(100vw-24px))] overflow-visible border-0 bg-transparent p-0 md:right-5"
      >
        <ol className="grid gap-2">
          {toasts.map((shown) => (
            <ToastCard key={shown.id} toast={shown} held={held} />
          ))}
        </ol>
      </section>
      <div role="status" aria-live="polite" className="sr-only">
        {toasts.map((shown) => (
          <p key={shown.id}>{shown.detail === undefined ? shown.title : `${shown.title}. ${shown.detail}`}</p>
        ))}
      </div>
    </>
  )
}

function ToastCard({ toast, held }: { toast: Toast; held: boolean }) {
  const left = useRef(shownMs)

  useEffect(() => {
    if (held) return
    const since = performance.now()
    const timer = setTimeout(() => dismissToast(toast.id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= performance.now() - since
    }
  }, [held, toast.id])

  return (
    <li className="rise flex items-center gap-3 rounded-l border border-line-2 bg-s2 py-2 pr-1.5 pl-3 text-t1 shadow-float">
      <span className={`grid size-9 flex-none place-items-center rounded-m ${tones[toast.kind]}`}>
        <Icon name={icons[toast.kind]} className="size-5 stroke-[2.4]" />
      </span>
      <p className="min-w-0 flex-1 py-1">
        <b className="block text-label font-[650] break-words">{toast.title}</b>
        {toast.detail !== undefined && <span className="block text-meta text-t2">{toast.detail}</span>}
      </p>
      <IconButton icon="close" label="Fechar notificação" onClick={() => dismissToast(toast.id)} />
    </li>
  )
}
