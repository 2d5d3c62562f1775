import { Icon } from "#ui/icon.tsx"

interface Props {
  signals: readonly string[]
  /** In a row: as many as fit, and how many more there are. */
  shown?: number
}

/** Warning signs to check before money leaves. */
export function Signals({ signals, shown = signals.length }: Props) {
  if (signals.length === 0) return null
  const rest = signals.slice(shown)
  return (
    <ul aria-label="Sinais de atenção" className="flex min-w-0 flex-wrap gap-1">
      {signals.slice(0, shown).map((signal, index) => (
        <li key={signal} title={signal} className="flex max-w-full min-w-0 items-center gap-1">
          <span className="inline-flex min-w-0 items-center gap-1 rounded-s bg-amber-bg px-1.5 text-[12.5px] font-semibold text-amber">
            <Icon name="alert" className="size-3.5 flex-none stroke-2" />
            <span className="truncate">{signal}</span>
          </span>
          {index === shown - 1 && rest.length > 0 && <More signals={rest} />}
        </li>
      ))}
    </ul>
  )
}

function More({ signals }: { signals: readonly string[] }) {
  const text = signals.join(", ")
  return (
    <span title={text} className="flex-none text-[12.5px] font-semibold text-amber">
      <span aria-hidden="true">+{signals.length}</span>
      <span className="sr-only">, {text}</span>
    </span>
  )
}
