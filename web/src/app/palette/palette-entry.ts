import type { LinkProps } from "@tanstack/react-router"
import { holdsText } from "#format/holds-text.ts"
import type { IconName } from "#ui/icon.tsx"

type Place = Pick<LinkProps, "to" | "search" | "params">

/** A line of the search: its destination or action. */
export interface PaletteEntry {
  id: string
  icon: IconName
  label: string
  /** Distinguishes it from others of the same name. */
  note?: string
  amount?: number
  act: Place | (() => void)
}

export interface PaletteGroup {
  heading: string
  entries: readonly PaletteEntry[]
}

/** Every word must occur somewhere, in any order: 'saque pedir' finds the same as 'pedir saque'. */
export function matchingEntries(
  entries: readonly (PaletteEntry & { words?: string })[],
  typed: string,
): readonly PaletteEntry[] {
  const words = typed.split(/\s+/).filter((word) => word !== "")
  return entries.filter(({ label, words: more = "" }) => words.every((word) => holdsText(`${label} ${more}`, word)))
}
