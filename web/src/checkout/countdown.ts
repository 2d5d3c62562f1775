const announcements = [
  { atMs: 0, text: "Prazo encerrado. Conferindo o pagamento…" },
  { atMs: 60_000, text: "Falta 1 minuto." },
  { atMs: 300_000, text: "Faltam 5 minutos." },
]

/** Announces only 5 minutes, 1 minute and the end; of several that passed since the last tick, the latest. */
export function announcementBetween(beforeMs: number, nowMs: number): string | null {
  return announcements.find(({ atMs }) => beforeMs > atMs && nowMs <= atMs)?.text ?? null
}

/** Shows no seconds while hours are left: they would only press the payer. */
export function formatRemaining(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
  return `${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0")
}
