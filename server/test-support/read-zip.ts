import { inflateRawSync } from "node:zlib"
import { invariant } from "#kit/errors"

const endSignature = 0x06054b50
const zip64Signature = 0x06064b50
const centralSignature = 0x02014b50

/** The texts of a ZIP by name. */
export function readZip(zip: Buffer): Map<string, string> {
  return new Map([...unzip(zip)].map(([name, content]) => [name, content.toString("utf8")]))
}

/** The files of a ZIP by name, read as any program reads them: from the directory at its end. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  invariant(end !== -1 && zip.readUInt32LE(end) === endSignature, "no ZIP")
  const end64 = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x06, 0x06]))
  const isLarge = end64 !== -1 && zip.readUInt32LE(end64) === zip64Signature
  const count = isLarge ? Number(zip.readBigUInt64LE(end64 + 32)) : zip.readUInt16LE(end + 10)
  let at = isLarge ? Number(zip.readBigUInt64LE(end64 + 48)) : zip.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let n = 0; n < count; n += 1) {
    invariant(zip.readUInt32LE(at) === centralSignature, "a broken directory")
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place))
    const nameEnd = at + 46 + (nameLength ?? 0)
    const name = zip.toString("utf8", at + 46, nameEnd)
    const sizes = sizesOf(zip, at, zip.subarray(nameEnd, nameEnd + (extraLength ?? 0)))
    files.set(name, contentOf(zip, sizes, zip.readUInt16LE(at + 10)))
    at = nameEnd + (extraLength ?? 0) + (noteLength ?? 0)
  }
  return files
}

interface Sizes {
  compressed: number
  offset: number
}

/** Beyond 4 GB, or where the writer didn't know, the numbers stand in an extra field. */
function sizesOf(zip: Buffer, at: number, extra: Buffer): Sizes {
  const plain = { compressed: zip.readUInt32LE(at + 20), offset: zip.readUInt32LE(at + 42) }
  if (plain.compressed !== 0xffffffff && plain.offset !== 0xffffffff) return plain
  let field = 0
  while (field < extra.length && extra.readUInt16LE(field) !== 1) field += 4 + extra.readUInt16LE(field + 2)
  invariant(field < extra.length, "no ZIP64 field")
  return { compressed: Number(extra.readBigUInt64LE(field + 12)), offset: Number(extra.readBigUInt64LE(field + 20)) }
}

function contentOf(zip: Buffer, { compressed, offset }: Sizes, method: number): Buffer {
  const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
  const content = zip.subarray(start, start + compressed)
  return method === 0 ? content : inflateRawSync(content)
}
