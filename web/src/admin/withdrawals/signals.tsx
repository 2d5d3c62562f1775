import { Icon } from "#ui/icon.tsx"

/** Warning signs to check before money leaves. */
export function Signals({ signals }: { signals: readonly string[] }) {
  if (signals.length === 0) return null
  return (
    <ul aria-label="Sinais de atenção" className="flex flex-wrap gap-1.5">
      {signals.map((signal) => (
        <li
          key={signal}
          className="inline-flex items-center gap-1.5 rounded-s bg-amber-bg px-2 py-0.5 text-meta font-semibold text-amber"
        >
          <Icon name="alert" className="size-3.5 flex-none stroke-2" />
          {signal}
        </li>
      ))}
    </ul>
  )
}
