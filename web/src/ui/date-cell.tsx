/** Day above, hour below; text that isn't a date stays whole. */
export function DateCell({ text }: { text: string }) {
  const [day, hour] = /^\d/.test(text) ? text.split(" ") : [text]
  return (
    <span className="text-t2 tabular-nums cards:text-meta cards:text-t3">
      <span className="block whitespace-nowrap cards:inline">{day}</span>
      {hour !== undefined && <span className="block text-meta text-t3 cards:ml-1.5 cards:inline">{hour}</span>}
    </span>
  )
}
