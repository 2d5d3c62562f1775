import { type Checkpoint, checkpointText, openCheckpoint, signedNote } from "@tilinta/contract/proofs/checkpoint"
import { readVerifierKeys, verifierKey } from "@tilinta/contract/proofs/verifier-key"
import type { Db, Tx } from "#db/transaction"
import { listActiveAdmins } from "#domain/people/users/list-active-admins"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import type { SigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import type { Clock } from "#kit/clock"
import type { Logger } from "#kit/log"
import { saoPauloDay } from "#kit/sao-paulo-day"
import {
  findLastCheckpointDay,
  type Head,
  holdHead,
  insertCheckpointOnce,
  readHead,
  saveNote,
} from "./chain-repository.ts"
import { logNameOf } from "./log-name.ts"
import { readRoot } from "./read-proofs.ts"

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
    await db.transaction().execute((tx) => tellAdmins(tx, { day, note, now: clock.now() }))
  }
  return note
}

async function signHead(deps: Deps, { head, origin }: { head: Head; origin: string }): Promise<string> {
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
async function replaceNote(tx: Tx, read: Head, note: string): Promise<string> {
  const held = await holdHead(tx)
  if (held.note !== read.note && held.note !== null) return held.note
  await saveNote(tx, note)
  return note
}

/** Never signs a chain that doesn't begin with what was signed before: somebody rewrote it. */
async function requireSameBeginning({ db, log, signingKeys }: Deps, { note, blockCount }: Head): Promise<void> {
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
async function tellAdmins(tx: Tx, { day, note, now }: { day: string; note: string; now: Date }): Promise<void> {
  const isFirst = (await findLastCheckpointDay(tx)) === null
  if (!(await insertCheckpointOnce(tx, { day, note, now })) || isFirst) return
  const admins = await listActiveAdmins(tx)
  const content = { kind: "checkpoint", day, note } as const
  await enqueueMails(
    tx,
    admins.map((userId) => ({ userId, content, dedupeKey: `checkpoint:${day}:${userId}` })),
    now,
  )
}
