import { randomUUID } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
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
import { enqueueMails } from "#platform/mails/notify-owner"
import { isPaymentsRush } from "#platform/system/node"
import { type Psp, provenTime } from "#psp/psp"
import { leftSiblingsOf, logNameOf, makeBlock, readConsistencyProofs, readRoot } from "./block.ts"
import type { SigningKeys } from "./keys.ts"
import { type ChainHead, findLastCheckpointDay, findNodes, readHead, waitsSince } from "./reads.ts"
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
}

/** Signs how far the chain goes, unless what was signed last says so already. Returns the latest checkpoint. */
export async function publishCheckpoint(deps: Deps): Promise<string> {
  const { db, clock } = deps
  const head = await readHead(db)
  const origin = logNameOf(deps.publicUrl)
  const [key] = (await deps.signingKeys.listPublicKeys("checkpoint")).filter(({ retiredAt }) => retiredAt === null)
  const current = key === undefined ? [] : await readVerifierKeys(await verifierKey(origin, key.publicKey))
  const last = head.note === null ? null : await openCheckpoint(head.note, current)
  const note = head.note !== null && last?.size === head.blockCount ? head.note : await signHead(deps, { head, origin })
  const day = saoPauloDay(clock.now())
  if ((await findLastCheckpointDay(db)) !== day) {
    await db.transaction().execute((tx) => mailAdmins(tx, { day, note, now: clock.now() }))
  }
  return note
}

async function signHead(deps: Deps, { head, origin }: { head: ChainHead; origin: string }): Promise<string> {
  const { db, signingKeys } = deps
  await requireSameBeginning(deps, head)
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

/** Never signs a chain that doesn't begin with what was signed before: somebody rewrote it. */
async function requireSameBeginning({ db, log, signingKeys }: Deps, { note, blockCount }: ChainHead): Promise<void> {
  if (note === null) return
  const signed = await openOwnNote(signingKeys, note)
  const isSame = signed !== null && signed.size <= blockCount && (await readRoot(db, signed.size)).equals(signed.root)
  if (isSame) return
  log.error(
    { alarm: "chain_rewritten", size: signed?.size ?? null, blockCount },
    "the chain is not the one that was signed",
  )
  throw new Error("the chain doesn't begin with what its last checkpoint signed")
}

/** Null unless a key of ours signed it, a retired one or under a former address, too. */
export async function openOwnNote(signingKeys: SigningKeys, note: string): Promise<Checkpoint | null> {
  const [origin = ""] = note.split("\n")
  const keys = await signingKeys.listPublicKeys("checkpoint")
  const lines = await Promise.all(keys.map(({ publicKey }) => verifierKey(origin, publicKey)))
  return openCheckpoint(note, await readVerifierKeys(lines.join("\n")))
}

/** The first day of a chain is kept and not mailed: there is nothing to compare yet. */
async function mailAdmins(tx: Tx, { day, note, now }: { day: string; note: string; now: Date }): Promise<void> {
  const isFirst = (await findLastCheckpointDay(tx)) === null
  if (!(await insertCheckpointOnce(tx, { day, note, now })) || isFirst) return
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

interface CheckpointCopyOptions {
  /** Replaced as a whole, so that nobody reads half of it. */
  file: string | null
  /** Gets the latest checkpoint by PUT. */
  url: string | null
  log: Logger
}

/** Brings the second place, out of reach of whoever may change the database, up to the latest checkpoint. */
export type CopyCheckpoint = (publish: () => Promise<string>) => Promise<void>

const URL_PAUSE_MS = 60_000
const URL_REPEAT_MS = 600_000
const PATIENCE_MS = 10_000
const MOST_WRITES = 3

/**
 * Another server may be slower and write an older checkpoint last, or end right after. So the file itself is compared each
 * time, and once more after writing it; the address, which can't be asked, gets the same one again after a while. It is never
 * waited for: sealing goes on. A copy that failed is tried again.
 */
export function createCheckpointCopy({ file, url, log }: CheckpointCopyOptions): CopyCheckpoint {
  const putToUrl = createUrlCopy(url, log)
  return async (publish) => {
    let note = await publish()
    void putToUrl(note)
    if (file === null) return
    for (let writes = 0; writes < MOST_WRITES && (await bringFile(file, note, log)); writes += 1) note = await publish()
  }
}

/** False where the file says so already, or can't. */
async function bringFile(file: string, note: string, log: Logger): Promise<boolean> {
  try {
    if ((await readText(file)) === note) return false
    await replaceFile(file, note)
    return true
  } catch (error) {
    raiseAlarm(log, error)
    return false
  }
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
    throw error
  }
}

function createUrlCopy(url: string | null, log: Logger): (note: string) => Promise<void> {
  let copied: string | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  return async (note) => {
    const pause = note === copied ? URL_REPEAT_MS : URL_PAUSE_MS
    if (url === null || performance.now() - triedAt < pause) return
    triedAt = performance.now()
    try {
      await put(url, note)
      copied = note
    } catch (error) {
      raiseAlarm(log, error)
    }
  }
}

function raiseAlarm(log: Logger, error: unknown): void {
  log.error({ err: error, alarm: "checkpoint_not_copied" }, "the checkpoint could not be copied to its second place")
}

async function replaceFile(file: string, note: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, note, { flag: "wx" })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

async function put(url: string, note: string): Promise<void> {
  const reply = await fetch(url, {
    method: "PUT",
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: note,
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await reply.body?.cancel()
  if (!reply.ok) throw new Error(`the second place answered ${reply.status}`)
}
