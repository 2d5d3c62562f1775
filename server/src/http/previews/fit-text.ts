import type { Advances } from "./font-advances.ts"

/** A font of one weight at one size: what a text would measure in it. */
export interface Face {
  advances: Advances
  size: number
}

export function widthOf(text: string, { advances, size }: Face): number {
  return [...text].reduce((width, character) => width + (advances.get(character.codePointAt(0) ?? 0) ?? 0), 0) * size
}

/** Only what the font can draw: an emoji would leave a box. */
export function drawable(text: string, advances: Advances): string {
  return [...text.normalize("NFC").replace(/\s+/g, " ")]
    .filter((character) => advances.has(character.codePointAt(0) ?? 0))
    .join("")
    .replace(/ +/g, " ")
    .trim()
}

/** The text, or as much of its beginning as fits with an ellipsis. */
export function cutToFit(text: string, face: Face, maxWidth: number): string {
  if (widthOf(text, face) <= maxWidth) return text
  const characters = [...text]
  while (characters.length > 0 && widthOf(`${characters.join("")}…`, face) > maxWidth) characters.pop()
  return `${characters.join("").replace(/[\s,.;:–-]+$/, "")}…`
}

/** One line, or two of which the second may be cut. */
export function breakIntoTwo(text: string, face: Face, maxWidth: number): string[] {
  const words = text.split(" ")
  let first = ""
  while (words[0] !== undefined && widthOf(`${first} ${words[0]}`.trim(), face) <= maxWidth) {
    first = `${first} ${words.shift()}`.trim()
  }
  const rest = words.join(" ")
  return [first, rest].filter((line) => line !== "").map((line) => cutToFit(line, face, maxWidth))
}
