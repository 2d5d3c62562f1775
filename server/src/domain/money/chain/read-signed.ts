import { fromBase64 } from "@tilinta/contract/proofs/bytes"
import type { Checkpoint } from "@tilinta/contract/proofs/checkpoint"
import type { Db } from "#db/transaction"
import type { SigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import type { LedgerDifference } from "#ledger/verify-ledger"
import { readCheckpoints, readHead } from "./chain-repository.ts"
import { openOwnNote } from "./publish-checkpoint.ts"
import { mostUnsigned } from "./seal-rows.ts"
import type { SignedSize } from "./verify-chain.ts"

interface Signed {
  checkpoints: SignedSize[]
  differences: LedgerDifference[]
}

const DAYS_AT_ONCE = 1_000

/** Checkpoints that this database keeps. Without the keys, signatures are not checked: only roots are compared then. */
export async function readSigned(db: Db, signingKeys: SigningKeys | null): Promise<Signed> {
  const { note, blockCount } = await readHead(db)
  const notes = await readDays(db)
  if (note !== null) notes.push({ name: "ponto de controle atual", note })
  const differences: LedgerDifference[] = []
  if (notes.length === 0 && blockCount > mostUnsigned) {
    differences.push({ what: "ponto de controle da corrente", expected: "assinado", found: "ausente" })
  }
  const checkpoints: SignedSize[] = []
  for (const { name, note: text } of notes) {
    const opened = signingKeys === null ? unsignedPart(text) : await openOwnNote(signingKeys, text)
    if (opened !== null) checkpoints.push({ name, size: opened.size, root: opened.root })
    else differences.push({ what: name, expected: "assinado com a chave da plataforma", found: "outra assinatura" })
  }
  return { checkpoints, differences }
}

async function readDays(db: Db): Promise<{ name: string; note: string }[]> {
  const notes: { name: string; note: string }[] = []
  for (let after = "0001-01-01"; ; ) {
    const days = await readCheckpoints(db, after, DAYS_AT_ONCE)
    notes.push(...days.map(({ day, note }) => ({ name: `ponto de controle de ${day}`, note })))
    const last = days.at(-1)
    if (last === undefined || days.length < DAYS_AT_ONCE) return notes
    after = last.day
  }
}

function unsignedPart(note: string): Omit<Checkpoint, "origin"> | null {
  const [, size, root] = note.split("\n")
  const bytes = fromBase64(root ?? "")
  return bytes === null ? null : { size: Number(size), root: bytes }
}
