import { type ReactNode, useId } from "react"
import { Badge } from "#ui/badge.tsx"
import { Card } from "#ui/card.tsx"
import type { Health } from "./health.ts"

interface Props {
  title: string
  health: Health
  /** Content next to the title. */
  action?: ReactNode
  wide?: boolean
  children: ReactNode
}

const words = { success: "Tudo certo", warning: "Atenção", danger: "Problema" } as const

const notes = {
  warning: "border-line-2 bg-amber-bg",
  danger: "border-coral-line bg-coral-bg",
} as const

/** One component of the installation: its health in a word, advice when it is unwell, and figures. */
export function StatusPanel({ title, health, action, wide = false, children }: Props) {
  const titleId = useId()
  const { tone, says, advice, waits } = health
  return (
    <Card aria-labelledby={titleId} className={`flex min-w-0 flex-col gap-4 p-5 md:p-6 ${wide ? "lg:col-span-2" : ""}`}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h2 id={titleId} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-section font-[650]">
            {title}
            <Badge tone={waits === undefined ? tone : "secondary"}>{waits ?? words[tone]}</Badge>
          </h2>
          {tone === "success" && <p className="mt-1 text-label text-t2">{says}</p>}
        </div>
        {action}
      </div>
      {tone !== "success" && (
        <div className={`rounded-m border px-4 py-3 ${notes[tone]}`}>
          <p className="font-semibold break-words">{says}</p>
          {advice !== undefined && <p className="mt-0.5 text-label text-t2">{advice}</p>}
        </div>
      )}
      {children}
    </Card>
  )
}
