/** Day above, hour below; a text that is no date stays whole. */
export function DateCell({ text }: { text: string }) {
  const [day, hour] = /^\d/.test(text) ? text.split(" ") : [text]
  return (
    <span className="text-t2 tabular-nums max-md:text-meta max-md:text-t3">
      <span className="whitespace-nowrap md:block">{day}</span>
      {hour !== undefined && <span className="text-meta text-t3 max-md:ml-1.5 md:block">{hour}</span>}
    </span>
  )
}
