import { useEffect, useRef } from "react"
import { Icon } from "#ui/icon.tsx"

/** Takes the focus, because the button that had it is disabled or gone. */
export function FormDone({ message }: { message: string }) {
  const notice = useRef<HTMLParagraphElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <p
      ref={notice}
      tabIndex={-1}
      className="flex items-start gap-2.5 rounded-m border border-mint-line bg-mint-bg px-4 py-3 text-label font-medium"
    >
      <Icon name="check" className="mt-px size-[18px] flex-none text-mint" />
      <span className="min-w-0">{message}</span>
    </p>
  )
}
