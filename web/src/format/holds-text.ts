const marks = /[\u0300-\u036f]/g

function plain(text: string): string {
  return text.normalize("NFD").replace(marks, "").toLowerCase()
}

/** Ignores accents and case. */
export function holdsText(text: string, typed: string): boolean {
  return plain(text).includes(plain(typed.trim()))
}
