import { type ReactNode, useId } from "react"
import { Card, CardHeader } from "#ui/card.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import type { IconName } from "#ui/icon.tsx"

interface Props {
  title: string
  /** What exactly is counted, and when. */
  note: string
  icon: IconName
  /** Unknown after a failure, which is told above. */
  state: "unknown" | "empty" | "filled"
  emptyText: string
  children: ReactNode
}

export function ReportPanel({ title, note, icon, state, emptyText, children }: Props) {
  const id = useId()
  return (
    <Card aria-labelledby={id} className="flex min-w-0 flex-col p-5 md:p-6">
      <CardHeader title={title} id={id} />
      <p className="mb-5 text-meta text-t3">{note}</p>
      <div className="my-auto min-w-0">
        {state === "filled" && children}
        {state === "empty" && <EmptyState icon={icon} title={emptyText} />}
        {state === "unknown" && <p className="text-t3">Indisponível no momento.</p>}
      </div>
    </Card>
  )
}

export function stateOf(rows: readonly unknown[] | undefined): Props["state"] {
  if (rows === undefined) return "unknown"
  return rows.length === 0 ? "empty" : "filled"
}
