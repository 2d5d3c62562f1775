interface Props {
  children: string
  /** A debt. */
  isNegative?: boolean
}

/** The number of a card. It shrinks with its room, so that it never breaks. */
export function StatValue({ children, isNegative = false }: Props) {
  return (
    <div className="@container mt-2">
      <p
        className={`leading-[30px] font-bold tracking-[-0.03em] whitespace-nowrap tabular-nums ${sizeOf(children)} ${isNegative ? "text-coral" : ""}`}
      >
        {children}
      </p>
    </div>
  )
}

function sizeOf(text: string): string {
  if (text.length <= 9) return "text-[25px]"
  if (text.length <= 12) return "text-[min(25px,15cqi)]"
  if (text.length <= 14) return "text-[min(25px,13cqi)]"
  return text.length <= 16 ? "text-[min(25px,11.5cqi)]" : "text-[min(25px,10cqi)]"
}
