const written = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** Fast path for the standard's format. */
const standard = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/

/** Banks that omit the offset mean Brasília. Null for text that isn't a time. */
export function readMoment(text: string): Date | null {
  if (standard.test(text)) return validOrNull(new Date(text))
  const [, day, time, offset = "-03:00"] = written.exec(text.trim()) ?? []
  if (day === undefined || time === undefined) return null
  const hours = /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2")
  return validOrNull(new Date(`${day}T${time}${hours.toUpperCase()}`))
}

function validOrNull(moment: Date): Date | null {
  return Number.isNaN(moment.getTime()) ? null : moment
}
