const marks = /[\u0300-\u036f]/g

function plain(text: string): string {
  return text.normalize("NFD").replace(marks, "").toLowerCase()
}

/** Without regard to accents and capitals. */
export function holdsText(text: string, typed: string): boolean {
  return plain(text).includes(plain(typed.trim()))
}
