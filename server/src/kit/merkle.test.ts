import { isConsistent, rootFromAuditPath } from "@tilinta/contract/proofs/tree"
import { assert, asyncProperty, integer, property } from "fast-check"
import { expect, test } from "vitest"
import {
  auditPathOf,
  consistencyProof,
  inclusionProof,
  leafCompleting,
  leafHash,
  nodesCompletedBy,
  rootAt,
  rootOf,
} from "./merkle.ts"

/** Known answers of the tree in RFC 6962's reference implementation. */
const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map(
  (hex) => leafHash(Buffer.from(hex, "hex")),
)

function keep(count: number) {
  const kept: Buffer[][] = []
  const read = (level: number, index: number) => kept[leafCompleting(level, index)]?.[level] ?? Buffer.alloc(0)
  for (let number = 0; number < count; number += 1) {
    kept.push(nodesCompletedBy(number, leaves[number % leaves.length] as Buffer, read))
  }
  const all = Array.from({ length: count }, (_, number) => leaves[number % leaves.length] as Buffer)
  return { read, all }
}

test("roots are those of RFC 6962", () => {
  expect(rootOf([]).toString("hex")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  expect(rootOf(leaves.slice(0, 1)).toString("hex")).toBe(
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  )
  expect(rootOf(leaves).toString("hex")).toBe("5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")
})

test("a text is hashed as its UTF-8", () => {
  for (const text of ["", '["payments", "ação 🎉"]', "\0"]) expect(leafHash(text)).toEqual(leafHash(Buffer.from(text)))
})

test("what each leaf keeps gives the root and the paths of every size", () => {
  assert(
    property(integer({ min: 1, max: 70 }), integer({ min: 0, max: 69 }), (size, seed) => {
      const { read, all } = keep(size)
      const number = seed % size
      expect(rootAt(size, read)).toEqual(rootOf(all))
      expect(inclusionProof(number, size, read)).toEqual(auditPathOf(all, number))
      expect(consistencyProof(size, size, read)).toEqual([])
      expect(consistencyProof(number, size, read).length).toBeLessThanOrEqual(9)
    }),
  )
})

test("the verifier agrees with every proof, and with no other leaf, place, size or root", async () => {
  const bytes = (hash: Buffer) => new Uint8Array(hash)
  await assert(
    asyncProperty(integer({ min: 1, max: 40 }), integer({ min: 0, max: 39 }), async (size, seed) => {
      const { read, all } = keep(size)
      const number = seed % size
      const leaf = bytes(all[number] as Buffer)
      const path = inclusionProof(number, size, read).map(bytes)
      expect(await rootFromAuditPath(leaf, { index: number, size }, path)).toEqual(bytes(rootOf(all)))
      expect(await rootFromAuditPath(leaf, { index: number, size }, [...path, leaf])).not.toEqual(bytes(rootOf(all)))
      expect(await rootFromAuditPath(bytes(leafHash("x")), { index: number, size }, path)).not.toEqual(
        bytes(rootOf(all)),
      )
      expect(await rootFromAuditPath(leaf, { index: size, size }, path)).toBeNull()
      const smaller = { size: number, root: bytes(rootAt(number, read)) }
      const larger = { size, root: bytes(rootAt(size, read)) }
      const proof = consistencyProof(number, size, read).map(bytes)
      expect(await isConsistent(smaller, larger, proof)).toBe(true)
      if (number === 0) return
      expect(await isConsistent({ ...smaller, root: bytes(leafHash("x")) }, larger, proof)).toBe(false)
      expect(await isConsistent(larger, smaller, proof)).toBe(false)
    }),
  )
})
