interface BlockHeader {
  number: number
  /** Hashes in base64. */
  previous: string
  rowCount: number
  root: string
  sealedAtMs: number
}

/** The bytes that are a leaf of the tree of blocks, as UTF-8: docs/chain.md. */
export function blockHeader({ number, previous, rowCount, root, sealedAtMs }: BlockHeader): string {
  return ["tilinta-block/1", number, previous, rowCount, root, sealedAtMs].map((line) => `${line}\n`).join("")
}
