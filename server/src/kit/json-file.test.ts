import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { jsonFile } from "./folders.ts"

const listOf = (...chunks: string[]) => text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(jsonFile()))

test("lines become a list, wherever the chunks are cut", async () => {
  const lines = '{"a":1}\n{"a":2}\n{"a":3}\n'
  for (let cut = 1; cut < lines.length; cut += 1) {
    const json = await listOf(lines.slice(0, cut), lines.slice(cut))
    expect(JSON.parse(json)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
  }
})

test("no line is an empty list", async () => {
  expect(JSON.parse(await listOf())).toEqual([])
})
