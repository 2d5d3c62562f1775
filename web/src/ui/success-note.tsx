import { useEffect } from "react"
import { Icon } from "./icon.tsx"

const shownMs = 3000

/**
 * A success message, for three seconds. The live region is always rendered, so that screen readers announce the change.
 */
export function SuccessNote({ message, onDone }: { message: string | null; onDone: () => void }) {
  useEffect(() => {
    if (message === null) return
    const timer = setTimeout(onDone, shownMs)
    return () => clearTimeout(timer)
  }, [message, onDone])

  return (
    <div role="status" className="empty:absolute">
      {message !== null && (
        <p className="flex items-start gap-2.5 rounded-m border border-mint-line bg-mint-bg px-4 py-3 text-label font-medium">
          <Icon name="check" className="mt-px size-[18px] flex-none text-mint" />
          <span className="min-w-0">{message}</span>
        </p>
      )}
    </div>
  )
}
