import type { LinkProps } from "@tanstack/react-router"
import { holdsText } from "#format/holds-text.ts"
import type { IconName } from "#ui/icon.tsx"

export type Place = Pick<LinkProps, "to" | "search" | "params">

/** One line of the search: where it leads, or what it does. */
export interface PaletteEntry {
  id: string
  icon: IconName
  label: string
  /** What tells it from others of the same name. */
  note?: string
  amount?: number
  act: Place | (() => void)
}

export interface PaletteGroup {
  heading: string
  entries: readonly PaletteEntry[]
}

/** Every word must be somewhere, in any order: 'saque pedir' finds what 'pedir saque' does. */
export function matchingEntries(
  entries: readonly (PaletteEntry & { words?: string })[],
  typed: string,
): readonly PaletteEntry[] {
  const words = typed.split(/\s+/).filter((word) => word !== "")
  return entries.filter(({ label, words: more = "" }) => words.every((word) => holdsText(`${label} ${more}`, word)))
}
