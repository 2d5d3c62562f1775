import { useShortcut } from "./browser-hooks.ts"

/** A key as drawn on a keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="grid min-h-8 min-w-8 place-items-center rounded-s border border-line-2 bg-s2 px-2 font-sans text-meta font-semibold text-t1">
      {children}
    </kbd>
  )
}

interface Frame {
  current: HTMLElement | null
}

function rowsOf(table: HTMLElement | null): HTMLElement[] {
  return [...(table?.querySelectorAll<HTMLElement>("tbody tr") ?? [])]
}

/** -1 when the focus is elsewhere. */
export function focusedRow(table: HTMLElement | null): number {
  return rowsOf(table).findIndex((row) => row.contains(document.activeElement))
}

/** J moves to the next row, K to the previous one; the focus goes to the row's opening button. */
export function useRowMoves(table: Frame): void {
  const move = (step: number) => {
    const to = Math.max(0, focusedRow(table.current) + step)
    rowsOf(table.current)[to]?.querySelector("a")?.focus()
  }
  useShortcut("j", () => move(1))
  useShortcut("k", () => move(-1))
}

/** Toggles one row; with shift held, every row between it and the previously toggled one as well. */
export function pick(
  chosen: ReadonlySet<string>,
  { ids, id, from }: { ids: readonly string[]; id: string; from: string | null },
): Set<string> {
  const next = new Set(chosen)
  const [here, there] = [ids.indexOf(id), from === null ? -1 : ids.indexOf(from)]
  const range = there === -1 ? [id] : ids.slice(Math.min(here, there), Math.max(here, there) + 1)
  const isOn = !chosen.has(id)
  for (const each of range) {
    if (isOn) next.add(each)
    else next.delete(each)
  }
  return next
}
