import { fromBase64, toBase64 } from "./tree.ts"

/** A block's header, and its audit path to the root that a checkpoint signs. */
export interface BlockProof {
  header: string
  path: string[]
}

/** The consistency proof: the tree of the file's checkpoint begins with the tree of this smaller size. */
interface ConsistencyLink {
  size: number
  path: string[]
}

/** The proof of one line of a statement, as the cell of its CSV holds it: hashes in base64. */
export interface LineProof {
  /** The leaf: the row as it was sealed (docs/chain.md). */
  text: string
  /** The leaf's index in its block, and its audit path to the root in the block's header. */
  index: number
  path: string[]
  block: number
  /** Stands in the first line of each block alone. */
  of?: BlockProof
  /** Stands in the first line alone: the checkpoint to which all paths lead. */
  note?: string
  /** Come with the note: links to checkpoints that were mailed before. */
  links?: ConsistencyLink[]
}

export function writeLineProof(proof: LineProof): string {
  return toBase64(new TextEncoder().encode(JSON.stringify(proof)))
}

/** Null for what is no proof. */
export function readLineProof(cell: string): LineProof | null {
  const bytes = fromBase64(cell)
  if (bytes === null || bytes.length === 0) return null
  try {
    const proof = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Partial<LineProof>
    const isWhole =
      typeof proof.text === "string" &&
      typeof proof.index === "number" &&
      typeof proof.block === "number" &&
      isTexts(proof.path) &&
      (proof.of === undefined || (typeof proof.of.header === "string" && isTexts(proof.of.path))) &&
      (proof.note === undefined || typeof proof.note === "string") &&
      (proof.links === undefined || isLinks(proof.links))
    return isWhole ? (proof as LineProof) : null
  } catch {
    return null
  }
}

function isLinks(value: unknown): boolean {
  return Array.isArray(value) && value.every((link) => typeof link?.size === "number" && isTexts(link.path))
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
}
