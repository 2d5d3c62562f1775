import {
  type Checkpoint,
  checkpointText,
  openCheckpoint,
  readVerifierKeys,
  signedNote,
  verifierKey,
} from "@tilinta/contract/proofs/checkpoint"
import type { Db, Tx } from "#db/transaction"
import { type Clock, saoPauloDay, secondsAfter } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import type { Logger } from "#kit/log"
import { findActiveAdminIds } from "#people/users/reads"
import { enqueueMails, notifyAdmins } from "#platform/mails/notify-owner"
import { isPaymentsRush } from "#platform/system/node"
import { findChosenAt } from "#platform/system/reads"
import { type Psp, provenTime } from "#psp/psp"
import { leftSiblingsOf, logNameOf, makeBlock, readConsistencyProofs, readRoot, sizeOf } from "./block.ts"
import type { CheckpointCopy } from "./copy.ts"
import { firstLogNames, isInUse, type SigningKeys } from "./keys.ts"
import {
  type ChainHead,
  findLastCheckpointDay,
  findNodes,
  readHead,
  readLatestCheckpoints,
  waitsSince,
} from "./reads.ts"
import { findSealable, readUnsealed } from "./sealed-rows-reads.ts"
import { insertBlock, insertCheckpointOnce, lockHead, moveHead, saveNote, tryLockHead } from "./table.ts"

interface SealDeps {
  db: Db
  psp: Pick<Psp, "bankTime">
  clock: Clock
}

const ROWS_OF_BLOCK = 2_000
const MOST_BLOCKS = 50
/** A chain that nobody has signed yet goes no further, so that a longer one without a signature was tampered with. */
export const mostUnsigned = 50

/** With the job's interval and its run, a row is sealed within a minute. */
const LONGEST_WAIT_SECONDS = 45

/** Seals what has committed since the last time, and later while payments keep the server busy. */
export async function sealRowsInTime(deps: SealDeps): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  if ((await isPaymentsRush(db, now)) && !(await waitsSince(db, secondsAfter(now, -LONGEST_WAIT_SECONDS)))) return
  await sealRows(deps)
}

/**
 * Seals what has committed until now. One server at a time: what another one seals, this one leaves. A block that a clock
 * which is ahead dates would make all that other servers book next look dated back.
 */
export async function sealRows({ db, ...deps }: SealDeps): Promise<void> {
  for (let sealed = 0; sealed < MOST_BLOCKS; sealed += 1) {
    const rows = await db.transaction().execute((tx) => sealBlock(tx, provenTime(deps)))
    if (rows < ROWS_OF_BLOCK) return
  }
}

/** The number of rows that were sealed. */
async function sealBlock(tx: Tx, now: Date): Promise<number> {
  const head = await tryLockHead(tx)
  if (head === undefined || (head.note === null && head.blockCount >= mostUnsigned)) return 0
  const last = await findSealable(tx, head.until, ROWS_OF_BLOCK)
  if (last === null) return 0
  const rows = await readUnsealed(tx, { until: head.until, last })
  const number = head.blockCount
  const storedNodes = await findNodes(tx, [...new Set([number - 1, ...leftSiblingsOf(number)])])
  invariant(number === 0 || storedNodes.has(number - 1), `block ${number - 1} of the chain is missing`)
  await insertBlock(tx, makeBlock({ number, rows, storedNodes: storedNodes, now }))
  await moveHead(tx, { until: last, blockCount: number + 1 })
  return rows.rowCount
}

interface Deps {
  db: Db
  clock: Clock
  log: Logger
  signingKeys: SigningKeys
  publicUrl: string
  checkpointCopy: CheckpointCopy
}

/**
 * Signs how far the chain goes, unless what was signed last says so already. Returns the latest checkpoint. What is known
 * elsewhere is read before the chain, which only grows meanwhile.
 */
export async function publishCheckpoint(deps: Deps): Promise<string> {
  const { db, clock, checkpointCopy } = deps
  const kept = await checkpointCopy.readKept()
  const head = await readHead(db)
  await requireSameBeginning(deps, head, kept)
  const origin = logNameOf(deps.publicUrl)
  const [key] = (await deps.signingKeys.listPublicKeys("checkpoint")).filter(({ retiredAt }) => retiredAt === null)
  const current = key === undefined ? [] : await readVerifierKeys(await verifierKey(origin, key.publicKey))
  const last = head.note === null ? null : await openCheckpoint(head.note, current)
  const note = head.note !== null && last?.size === head.blockCount ? head.note : await signHead(deps, { head, origin })
  const day = saoPauloDay(clock.now())
  if ((await findLastCheckpointDay(db)) !== day) {
    await db.transaction().execute((tx) => mailAdmins(tx, { day, note, now: clock.now() }))
  }
  checkpointCopy.remember(note)
  return note
}

async function signHead(deps: Deps, { head, origin }: { head: ChainHead; origin: string }): Promise<string> {
  const { db, signingKeys } = deps
  const text = checkpointText({
    origin,
    size: head.blockCount,
    root: new Uint8Array(await readRoot(db, head.blockCount)),
  })
  const { publicKey, signature } = await signingKeys.sign("checkpoint", Buffer.from(text))
  const note = await signedNote(text, { name: origin, publicKey, signature })
  return db.transaction().execute((tx) => replaceNote(tx, head, note))
}

/** The later of two servers that sign at once leaves what is there. */
async function replaceNote(tx: Tx, read: ChainHead, note: string): Promise<string> {
  const current = await lockHead(tx)
  if (current.note !== read.note && current.note !== null) return current.note
  await saveNote(tx, note)
  return note
}

/**
 * Never signs a chain that doesn't begin with all that was signed before and is still known, nor one whose note is gone: the
 * first key of an installation signs its empty chain (./keys.ts), so that there always is one.
 */
async function requireSameBeginning(deps: Deps, head: ChainHead, kept: readonly string[]): Promise<void> {
  const { db, log, clock } = deps
  const isKnown = kept.length > 0 && kept.every((note) => note === head.note)
  if (isKnown && head.note !== null && sizeOf(head.note) === head.blockCount) return
  const known = new Set([head.note, ...(await readLatestCheckpoints(db, 1)), ...kept])
  for (const note of known) {
    if (note !== null && !(await isLate(deps, note)) && (await isBeginning(deps, head, note))) continue
    const size = note === null ? null : sizeOf(note)
    const facts = { size, blockCount: head.blockCount }
    log.error({ alarm: "chain_rewritten", ...facts }, "the chain is not the one that was signed")
    await db.transaction().execute((tx) => warnAdmins(tx, facts, clock.now()))
    throw new Error("the chain doesn't begin with what its last checkpoint signed")
  }
}

/** The first key's checkpoint of the empty chain, put back where people have been at work since. */
async function isLate({ db, clock }: Deps, note: string): Promise<boolean> {
  return note.startsWith(`${firstLogNames.byFirstKey}\n`) && (await isInUse(db, clock.now()))
}

async function isBeginning({ db, signingKeys }: Deps, { blockCount }: ChainHead, note: string): Promise<boolean> {
  const signed = await openOwnNote(signingKeys, note)
  return signed !== null && signed.size <= blockCount && (await readRoot(db, signed.size)).equals(signed.root)
}

/** Once a day, however often it is found. */
async function warnAdmins(tx: Tx, facts: { size: number | null; blockCount: number }, now: Date): Promise<void> {
  const mail = { kind: "chain_rewritten", ...facts, foundAt: now.toISOString() } as const
  await notifyAdmins(tx, { notice: null, mail, dedupeKey: `chain-rewritten:${saoPauloDay(now)}` }, now)
}

/** Null unless a key of ours signed it, a retired one, one of this moment or under a former address, too. */
export async function openOwnNote(signingKeys: SigningKeys, note: string): Promise<Checkpoint | null> {
  const [origin = ""] = note.split("\n")
  for (const isFresh of [false, true]) {
    const keys = await signingKeys.listPublicKeys("checkpoint", { isFresh })
    const lines = await Promise.all(keys.map(({ publicKey }) => verifierKey(origin, publicKey)))
    const opened = await openCheckpoint(note, await readVerifierKeys(lines.join("\n")))
    if (opened !== null) return opened
  }
  return null
}

/** The first day of an installation is kept and not mailed: there is nothing to compare yet. */
async function mailAdmins(tx: Tx, { day, note, now }: { day: string; note: string; now: Date }): Promise<void> {
  if (!(await insertCheckpointOnce(tx, { day, note, now }))) return
  const chosenAt = await findChosenAt(tx)
  if (chosenAt !== null && saoPauloDay(chosenAt) === day) return
  const admins = await findActiveAdminIds(tx)
  const content = { kind: "checkpoint", day, note } as const
  await enqueueMails(
    tx,
    admins.map((userId) => ({ userId, content, dedupeKey: `checkpoint:${day}:${userId}` })),
    now,
  )
}

/** Null until the first one is signed, seconds after the first start. */
export async function readCheckpoint(db: Db): Promise<string | null> {
  return (await readHead(db)).note
}

/** The proof that the tree of one size begins with the tree of a smaller one. */
export async function readConsistencyOf(db: Db, sizes: { smaller: number; size: number }): Promise<Buffer[]> {
  const { blockCount } = await readHead(db)
  if (sizes.smaller > sizes.size || sizes.size > blockCount) throw new DomainError("not_found")
  const [proof = []] = await readConsistencyProofs(db, [sizes.smaller], sizes.size)
  return proof
}
