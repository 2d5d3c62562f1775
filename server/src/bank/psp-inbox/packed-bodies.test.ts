import { expect, test } from "vitest"
import { packBodies, unpackBodies } from "./rules.ts"

const receiptOf = (number: number) =>
  Buffer.from(`{"pix":[{"endToEndId":"E0000000020261123${number}","valor":"10.00","chave":"loja@bank.example"}]}`)

test("the bodies of a bundle come back byte for byte, also an empty one and one that is no text", () => {
  const bodies = [receiptOf(1), Buffer.alloc(0), Buffer.from([0xff, 0x00, 0x1f, 0x8b]), receiptOf(2)]
  const lengths = bodies.map(({ length }) => length)
  expect(unpackBodies(packBodies(bodies), lengths)).toEqual(bodies)
  expect(unpackBodies(packBodies([]), [])).toEqual([])
})

test("webhooks that arrived together are kept in a fifth of their bytes", () => {
  const bodies = Array.from({ length: 60 }, (_, number) => receiptOf(10_000_000_000 + number * 7_919))
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0)
  expect(packBodies(bodies).length).toBeLessThan(bytes / 5)
})
