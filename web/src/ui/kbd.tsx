/** A key as drawn on a keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="grid min-h-8 min-w-8 place-items-center rounded-s border border-line-2 bg-s2 px-2 font-sans text-meta font-semibold">
      {children}
    </kbd>
  )
}
