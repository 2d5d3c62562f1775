const marks = /[\u0300-\u036f]/g

function plain(text: string): string {
  return text.normalize("NFD").replace(marks, "").toLowerCase()
}

/** Filters what is loaded at once, while the server is still being asked. */
export function matchesText(row: { title: string; description: string }, typed: string): boolean {
  const wanted = plain(typed.trim())
  return plain(row.title).includes(wanted) || plain(row.description).includes(wanted)
}
