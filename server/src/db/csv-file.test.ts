import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { expect, test } from "vitest"
import { keepBusy } from "../../test-support/keep-busy.ts"
import { csvFile } from "./exports.ts"

/** Feeds chunks of the given size, because a cell may be cut anywhere. */
async function fileOf(copied: string, chunkBytes: number): Promise<string> {
  const bytes = Buffer.from(copied)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  )
  return (await buffer(Readable.from(chunks).pipe(csvFile()))).toString()
}

const copied = 'Nome;Nota\nJosé;"linha 1\nlinha 2"\n"diz ""oi""\n";\n'
const expected = '\ufeffNome;Nota\r\nJosé;"linha 1\nlinha 2"\r\n"diz ""oi""\n";\r\n'

test.for([1, 2, 3, 7, 1000])("rows end by CRLF and cells stay as they are, in chunks of %d bytes", async (size) => {
  expect(await fileOf(copied, size)).toBe(expected)
})

test("where others wait, each part of the file waits for them", async () => {
  const stop = keepBusy(3)
  const startedAt = performance.now()
  expect(await fileOf(copied, copied.length / 4)).toBe(expected)
  stop()
  expect(performance.now() - startedAt).toBeGreaterThan(4 * 50)
})
