import { randomBytes } from "node:crypto"
import { hash, type Options, verify } from "@node-rs/argon2"
import { createHashSlots } from "./hash-slots.ts"

/** Argon2id (the library's default) with OWASP's parameters: 19 MiB, two passes, one lane. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const inSlot = createHashSlots({ atOnce: 2, waiting: 200 })
let decoy: Promise<string> | undefined

export async function hashPassword(password: string): Promise<string> {
  return inSlot(() => hash(password, cost))
}

/** Takes as long without a hash as with one, so that timing doesn't reveal which e-mails exist. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash(randomBytes(32), cost)
  const decoyHash = await decoy
  const isRight = await inSlot(() => verify(passwordHash ?? decoyHash, password))
  return isRight && passwordHash !== null
}
