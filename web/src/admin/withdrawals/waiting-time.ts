const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "há 3 h": the time somebody has been waiting. Empty for text that isn't a date. */
export function waitingTime(since: string, now: Date): string {
  const waited = now.getTime() - Date.parse(since)
  if (Number.isNaN(waited)) return ""
  if (waited < minute) return "agora"
  if (waited < hour) return `há ${Math.floor(waited / minute)} min`
  if (waited < 2 * day) return `há ${Math.floor(waited / hour)} h`
  return `há ${Math.floor(waited / day)} dias`
}
