const notInitials = /^(d[aeo]s?|e)$/i

/** Of the first two words that count: 'João da Silva' is JS; dashes, emojis and the like are no initials. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\d]/u.test(word) && !notInitials.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join("")
    .toUpperCase()
}
