import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from "react"
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

/**
 * Above everything: a popover lies over open dialogs too when it is shown after them. On a phone the newest alone lies over
 * the top bar, and never over what is below it.
 */
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
        className="fixed inset-auto top-0 m-0 overflow-visible border-0 bg-transparent p-0 max-md:left-0 max-md:w-full md:top-3 md:right-5 md:w-[400px]"
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
  const swipe = useSwipe(() => dismissToast(toast.id))

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
    <li
      {...swipe}
      className="rise flex touch-none items-center gap-3 border-line-2 bg-s2 py-2 pr-1.5 pl-3 text-t1 shadow-float max-md:h-[60px] max-md:border-b max-md:not-last:hidden md:rounded-l md:border"
    >
      <span className={`grid size-9 flex-none place-items-center rounded-m max-md:size-8 ${tones[toast.kind]}`}>
        <Icon name={icons[toast.kind]} className="size-5 stroke-[2.4]" />
      </span>
      <p className="min-w-0 flex-1 max-md:line-clamp-2 max-md:text-meta max-md:leading-[1.3] md:py-1">
        <b className="font-[650] break-words md:block md:text-label">{toast.title}</b>{" "}
        {toast.detail !== undefined && <span className="text-t2 md:block md:text-meta">{toast.detail}</span>}
      </p>
      <IconButton icon="close" label="Fechar notificação" onClick={() => dismissToast(toast.id)} />
    </li>
  )
}

const awayPx = 48

/** Sideways or up: a finger takes the toast along, and lets it go, or back. */
function useSwipe(onAway: () => void) {
  const from = useRef<{ x: number; y: number } | null>(null)
  const [by, setBy] = useState({ x: 0, y: 0 })

  function back(): void {
    from.current = null
    setBy({ x: 0, y: 0 })
  }

  return {
    style: by.x === 0 && by.y === 0 ? undefined : { transform: `translate(${by.x}px, ${by.y}px)` },
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      if (pointerType === "touch") from.current = { x: clientX, y: clientY }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (from.current !== null) setBy({ x: clientX - from.current.x, y: Math.min(0, clientY - from.current.y) })
    },
    onPointerUp: () => {
      if (Math.abs(by.x) > awayPx || by.y < -awayPx / 2) onAway()
      else back()
    },
    onPointerCancel: back,
  }
}
