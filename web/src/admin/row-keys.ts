import { useShortcut } from "#ui/use-shortcut.ts"

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
