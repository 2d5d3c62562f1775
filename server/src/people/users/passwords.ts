import { randomBytes } from "node:crypto"
import { hash, type Options, verify } from "@node-rs/argon2"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { currentDevice } from "#kit/request-scope"
import { createSlots } from "#kit/waiting-line"
import { issueNotMeLink } from "#people/freezes/freeze"
import { closeSessionsOf } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import { notifyOwner } from "#platform/mails/notify-owner"
import { readPlatform } from "#platform/settings/reads"
import { endResetsOf } from "./credentials-table.ts"
import { attemptOf } from "./known-devices.ts"
import { recordFailure, refuseTooManyFailures } from "./limits.ts"
import { findUserWithPassword, type UserWithPassword } from "./reads.ts"
import { auditOfPassword } from "./rules.ts"
import { lockUser, markPasswordVoid, markRecoveredRow, updatePassword } from "./table.ts"

interface Change extends PasswordProof {
  password: string
  /** Token of the caller's session, which stays open. */
  token: string
}

export async function changePassword(deps: { db: Db; clock: Clock }, change: Change): Promise<void> {
  const { db, clock } = deps
  const user = await provePassword(deps, change)
  await refuseGuessable(db, change.password, user)
  const passwordHash = await hashPassword(change.password)
  const before = user.passwordHash
  await db.transaction().execute((tx) => replacePassword(tx, { ...change, before, passwordHash }, clock.now()))
}

/** The second of two concurrent changes finds its current password outdated. */
async function replacePassword(
  tx: Tx,
  { userId, token, address, before, passwordHash }: Change & { before: string | null; passwordHash: string },
  now: Date,
): Promise<void> {
  const user = await lockUser(tx, userId)
  if (user?.passwordHash !== before) throw wrongPassword()
  const change = { action: "user.password_changed", address, spared: { token } } as const
  await savePassword(tx, { user, passwordHash, ...change }, now)
}

export interface PasswordProof {
  userId: string
  passwordCurrent: string
  /** The address that the request came from. */
  address: string
  /** The token of the browser's cookie, if it has one. */
  device?: string | null
}

/** Wrong passwords count like failed logins, so that a stolen session can't guess the password here; none is no guess. */
export async function provePassword(
  { db, clock }: { db: Db; clock: Clock },
  { userId, passwordCurrent, address, device }: PasswordProof,
  /** The field of the form that is wrong. */
  field: "passwordCurrent" | "password" = "passwordCurrent",
): Promise<UserWithPassword> {
  if (passwordCurrent === "") throw brokenRule(field, "Informe a sua senha atual.")
  const user = await findUserWithPassword(db, userId)
  if (user === undefined) throw new DomainError("unauthenticated")
  const attempt = await attemptOf(db, { email: user.email, address, device: device ?? null })
  await refuseTooManyFailures(db, attempt, clock.now())

  if (!(await isPassword(user.passwordHash, passwordCurrent))) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw wrongPassword(field)
  }
  await refuseTooManyFailures(db, attempt, clock.now())
  if (user.isPasswordVoid) throw new DomainError("password_reset_required")
  return user
}

function wrongPassword(field: "passwordCurrent" | "password" = "passwordCurrent"): DomainError {
  return brokenRule(field, field === "password" ? "Senha incorreta" : "Senha atual incorreta")
}

interface NewPassword {
  user: UserWithPassword
  passwordHash: string
  action: "user.password_changed" | "user.password_reset"
  /** The address that the request came from. */
  address: string
  /** The session that stays open, if any. */
  spared: { token: string } | null
}

/** Call it under the user's lock. Ends sessions opened with the old password, and notifies an owner who had one. */
export async function savePassword(
  tx: Tx,
  { user, passwordHash, action, address, spared }: NewPassword,
  now: Date,
): Promise<void> {
  await updatePassword(tx, user.id, passwordHash, now)
  await endResetsOf(tx, user.id, now)
  const by = { id: user.id, address }
  await closeSessionsOf(tx, user.id, { spared, by }, now)
  await recordAudit(tx, auditOfPassword(action, by, now))
  if (user.passwordHash === null) return
  const notice = {
    kind: "password_changed",
    changedAt: now.toISOString(),
    address,
    userAgent: currentDevice(),
  } as const
  const notMe = await issueNotMeLink(tx, user.id, now)
  await notifyOwner(tx, { userId: user.id, notice, notMe }, now)
}

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

interface Owner {
  name: string
  email: string
}

/** Frequent in Brazil and missing from the package's list. */
const alsoCommon = [
  "mudar123",
  "trocar123",
  "brasil123",
  "brasil10",
  "corinthians",
  "corinthians1",
  "vascodagama",
  "deusefiel",
  "jesuscristo",
  "teamomuito",
  "euteamo123",
  "flamengo1",
  "saopaulo1",
  "gvt12345",
  "senhasenha",
  "bemvindo",
]

/** Words of the trade, which docs/security/foundations.md lists. */
const ofTheTrade = [
  "pix",
  "senha",
  "banco",
  "dinheiro",
  "loja",
  "vendas",
  "pagamento",
  "cobranca",
  "recebimento",
  "vendedor",
  "admin",
  "administrador",
]

let commonOnes: Promise<ReadonlySet<string>> | undefined

/** @throws validation_failed for what a guesser tries first: a common password, or the owner's or the platform's name */
export async function refuseGuessable(db: Db, password: string, owner: Owner): Promise<void> {
  if (isMonotonous(password) || (await isCommon(password))) {
    throw brokenRule("password", "Esta senha está entre as mais usadas e é fácil de adivinhar. Escolha outra.")
  }
  const { name: platform } = await readPlatform(db)
  if (isOwnName(password, owner, platform)) {
    throw brokenRule(
      "password",
      "A senha não pode ser o seu nome, o seu e-mail, o nome da plataforma ou uma palavra como “pagamento”. Escolha outra.",
    )
  }
}

/** Also with some digits or marks after it. */
function isOwnName(password: string, { name, email }: Owner, platform: string): boolean {
  const [local = "", domain = ""] = email.split("@")
  const [firstOfDomain = ""] = domain.split(".")
  const own = [name, ...name.split(/\s+/), email, local, domain, firstOfDomain, platform].map(lettersAndDigits)
  const names = [...own, ...ofTheTrade]
  const typed = lettersAndDigits(password)
  const words = [typed, typed.replace(/(?<!\d)\d+$/, "")]
  return names.some((one) => one.length >= 3 && words.some((word) => word === one || word === one + one))
}

function isMonotonous(password: string): boolean {
  const typed = lettersAndDigits(password)
  if (typed === "" || new Set(typed).size <= 2) return true
  const steps = [...typed].slice(1).map((character, at) => character.charCodeAt(0) - typed.charCodeAt(at))
  return steps.every((step) => step === 1) || steps.every((step) => step === -1) || hasShortPeriod(typed)
}

/** `abcabcabc`, `12341234`. */
function hasShortPeriod(typed: string): boolean {
  return [3, 4].some((length) => typed.length >= 2 * length && typed.slice(length) === typed.slice(0, -length))
}

/** Loaded with the first new password: the list is large, and few calls need it. */
async function isCommon(password: string): Promise<boolean> {
  commonOnes ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set([...dictionary["passwords-common"], ...alsoCommon]),
  )
  const common = await commonOnes
  const typed = password.trim().toLowerCase()
  return common.has(typed) || common.has(lettersAndDigits(password))
}

/** Without case, accents, blanks and marks. */
function lettersAndDigits(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
}

/**
 * Runs when somebody got into an account, or changed it, without its password: in the transaction of the change, under the
 * user's lock. It is given from above, where withdrawals are known: they wait then.
 */
export type OnRecovery = (tx: Tx, userId: string, now: Date) => Promise<void>

/** Until a new one is set, by a link that only the mail brings. Call it under the user's lock. */
export async function voidPassword(tx: Tx, userId: string): Promise<void> {
  await markPasswordVoid(tx, userId)
}

/** Only for `OnRecovery`, under the user's lock. */
export async function markRecovered(tx: Tx, userId: string, now: Date): Promise<void> {
  await markRecoveredRow(tx, userId, now)
}
