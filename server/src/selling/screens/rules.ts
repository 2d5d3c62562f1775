import { randomInt } from "node:crypto"

/** A device at the counter that shows the payer what is asked for, and reads nothing else. */
export interface Screen {
  id: string
  createdBy: { _id: string; name: string }
  createdAt: Date
  /** Null until a device has used the code. */
  pairedAt: Date | null
}

/** A screen as its device knows it. */
export interface LiveScreen {
  shopId: string
  createdById: string
  /** The sale that its counter shows on it; null between sales. */
  chargeId: string | null
}

export const MOST_SCREENS = 10

/** Letters and digits that nobody mistakes for each other, typed on a television's remote control. */
const codeSigns = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

/** Eight signs, 40 bits: with ten minutes and a rate limit nobody guesses one. */
export function newScreenCode(): string {
  const signs = Array.from({ length: 8 }, () => codeSigns[randomInt(codeSigns.length)])
  return `${signs.slice(0, 4).join("")}-${signs.slice(4).join("")}`
}

/** However it was typed. */
export function typedCode(code: string): string {
  const signs = code.toUpperCase().replaceAll(/[^0-9A-Z]/g, "")
  return `${signs.slice(0, 4)}-${signs.slice(4)}`
}
