const notInitials = /^(d[aeo]s?|e)$/i

/** The initials of the first two significant words: 'João da Silva' is JS; dashes, emojis and particles are skipped. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\d]/u.test(word) && !notInitials.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join("")
    .toUpperCase()
}
