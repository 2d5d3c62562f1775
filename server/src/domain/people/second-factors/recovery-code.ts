import { createHash, randomInt } from "node:crypto"

const MANY = 10
/** Without 0, 1, I and O, which are mistaken for each other on paper. */
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
const groups = 4
const lettersOfGroup = 6

/** 120 random bits each: so many that a plain digest keeps them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: MANY }, () => Array.from({ length: groups }, newGroup).join("-"))
}

function newGroup(): string {
  return Array.from({ length: lettersOfGroup }, () => letters[randomInt(letters.length)]).join("")
}

/** Blanks, dashes and case don't count. */
export function hashOfRecoveryCode(userId: string, code: string): Buffer {
  const typed = code.replaceAll(/[\s-]/g, "").toUpperCase()
  return createHash("sha256").update(`${userId}:${typed}`).digest()
}
