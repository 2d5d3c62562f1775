interface DateCellProps {
  text: string
  /** A card has one line for the note, the date and the status: without the hour the note has room. */
  dayOnCards?: boolean
}

/** Day above, hour below; text that isn't a date stays whole. */
export function DateCell({ text, dayOnCards = false }: DateCellProps) {
  const [day, hour] = /^\d/.test(text) ? text.split(" ") : [text]
  return (
    <span className="text-t2 tabular-nums cards:text-t3">
      <span className="block whitespace-nowrap cards:inline">{day}</span>
      {hour !== undefined && (
        <span className={`block text-meta text-t3 ${dayOnCards ? "cards:hidden" : "cards:ml-1 cards:inline"}`}>
          {hour}
        </span>
      )}
    </span>
  )
}
