/** What an address may hold is anybody's: what can't be read is left out. */
export function pageOf(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isSafeInteger(page) && page > 1 && page <= 1_000_000 ? page : undefined
}

export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const text = String(value).trim().slice(0, 200)
  return text === "" ? undefined : text
}

export function wordOf<const W extends string>(value: unknown, words: readonly W[]): W | undefined {
  return words.find((word) => word === value)
}
