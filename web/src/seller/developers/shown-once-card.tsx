import { type ReactNode, useEffect, useId, useRef } from "react"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"

interface Props {
  title: string
  /** Null when the answer that carried it was lost. */
  value: string | null
  /** Explains the value, or what to do without it. */
  children: ReactNode
  copyTexts: { label: string; done: string; failed: string }
  keptLabel: string
  onClose: () => void
}

/**
 * A value that is never shown again. The card stays on the page until it is put away, because a click beside a dialog would
 * lose the value, and takes the focus, because its place may be out of sight.
 */
export function ShownOnceCard({ title, value, children, copyTexts, keptLabel, onClose }: Props) {
  const card = useRef<HTMLElement>(null)
  const titleId = useId()
  useEffect(() => card.current?.focus(), [])
  return (
    <Card
      ref={card}
      tabIndex={-1}
      className="mb-5 grid scroll-my-20 gap-3 p-5 outline-none"
      aria-labelledby={titleId}
      role="status"
    >
      <CardHeader id={titleId} title={title} />
      {children}
      {value !== null && (
        <code className="rounded-m border border-line-2 bg-bg px-3.5 py-3 font-mono text-[13px] break-all">
          {value}
        </code>
      )}
      <div className="flex flex-wrap gap-3">
        {value !== null && <CopyButton text={value} {...copyTexts} look="primary" className="max-sm:w-full" />}
        <Button className="max-sm:w-full" onClick={onClose}>
          {value === null ? "Entendi" : keptLabel}
        </Button>
      </div>
    </Card>
  )
}
