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
