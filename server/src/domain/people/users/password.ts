import { randomBytes } from "node:crypto"
import { hash, type Options, verify } from "@node-rs/argon2"
import { createSlots } from "#kit/slots"

/** Argon2id (the library's default) with OWASP's parameters: 19 MiB, two passes, one lane. */
const owaspCost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The cost of new hashes; a hash is verified at its own. */
export const hashing = { cost: owaspCost }

/** A hash takes 19 MiB and a core, so a flood of logins queues here instead of starving everything else. */
const slots = createSlots({ atOnce: 2, mostWaiting: 200 })
let decoy: Promise<string> | undefined

export async function hashPassword(password: string): Promise<string> {
  return slots.run(() => hash(password, hashing.cost))
}

/** Takes as long without a hash as with one, so that timing doesn't reveal which e-mails exist. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash(randomBytes(32), hashing.cost)
  const decoyHash = await decoy
  const isRight = await slots.run(() => verify(passwordHash ?? decoyHash, password))
  return isRight && passwordHash !== null
}
