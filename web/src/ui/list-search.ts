import { isDay, type Period, periodWords } from "#format/days.ts"

type Raw = Record<string, unknown>
type Read<Readers> = {
  [K in keyof Readers]?: Readers[K] extends (value: unknown) => infer Value ? Value | undefined : never
}

/** Reads a screen's parameters from its address, which is untrusted: unreadable values are ignored. */
export function searchOf<Readers extends Record<string, (value: unknown) => unknown>, More extends object = object>(
  readers: Readers,
  more: (raw: Raw) => More = () => ({}) as More,
): (raw: Raw) => Read<Readers> & Partial<More> {
  const names = Object.entries(readers)
  return (raw) => {
    const read = Object.fromEntries(names.map(([name, readValue]) => [name, readValue(raw[name])]))
    return { ...(read as Read<Readers>), ...more(raw) }
  }
}

export type SearchOf<Reader extends (raw: Raw) => object> = ReturnType<Reader>

export function pageOf(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isSafeInteger(page) && page > 1 && page <= 1_000_000 ? page : undefined
}

export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const text = String(value).trim().slice(0, 200)
  return text === "" ? undefined : text
}

export function idOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[0-9a-f-]{36}$/.test(value) ? value : undefined
}

export function wordOf<const W extends string>(value: unknown, words: readonly W[]): W | undefined {
  return words.find((word) => word === value)
}

export function oneOf<const W extends string>(words: readonly W[]): (value: unknown) => W | undefined {
  return (value) => wordOf(value, words)
}

/** Every screen loads the readers of addresses, so the words of a status are checked only where they are shown. */
export function knownStatus<Search extends { status?: string | undefined }, const W extends string>(
  { status, ...rest }: Search,
  words: readonly W[],
): Omit<Search, "status"> & { status: W | undefined } {
  return { ...rest, status: wordOf(status, words) }
}

export function dayOf(value: unknown): string | undefined {
  return typeof value === "string" && isDay(value) ? value : undefined
}

export const noPeriod = { period: undefined, dateFrom: undefined, dateTo: undefined } as const satisfies Period

export function periodOf(raw: Record<string, unknown>): Period {
  const period = wordOf(raw.period, periodWords)
  if (period !== undefined) return { ...noPeriod, period }
  const [dateFrom, dateTo] = [dayOf(raw.dateFrom), dayOf(raw.dateTo)]
  const isBackwards = dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo
  return { period, dateFrom, dateTo: isBackwards ? undefined : dateTo }
}

export function hasPeriod({ period, dateFrom, dateTo }: Period): boolean {
  return period !== undefined || dateFrom !== undefined || dateTo !== undefined
}
