import { createCipheriv, createDecipheriv, createHash, hkdfSync, timingSafeEqual } from "node:crypto"
import type { Readable } from "node:stream"
import { StartError } from "./errors.ts"

/**
 * A stream in chunks, each of which names its place and whether it is the last, so that a stream that was cut, reordered,
 * or mixed from two is refused (STREAM, Hoang et al. 2015). The head stands before all chunks and is sealed with each.
 */
export interface ChunkSeal {
  seal(chunk: Buffer, place: number, isLast: boolean): Buffer
  /** Throws when the chunk isn't the one that was sealed there. */
  open(sealed: Buffer, place: number, isLast: boolean): Buffer
}

const chunkBytes = 256 * 1024
const lengthBytes = 4
const tagBytes = 16
const digestBytes = 32
const mostSealedBytes = chunkBytes + digestBytes
const cipher = "aes-256-gcm"

/** A key of its own for each stream, so that no nonce is ever used twice. */
export function encryptingSeal(key: Buffer, salt: Buffer, head: string): ChunkSeal {
  const own = Buffer.from(hkdfSync("sha256", key, salt, "tilinta backup", 32))
  return {
    seal(chunk, place, isLast) {
      const sealing = createCipheriv(cipher, own, nonceOf(place, isLast), { authTagLength: tagBytes })
      sealing.setAAD(Buffer.from(head))
      return Buffer.concat([sealing.update(chunk), sealing.final(), sealing.getAuthTag()])
    },
    open(sealed, place, isLast) {
      const opening = createDecipheriv(cipher, own, nonceOf(place, isLast), { authTagLength: tagBytes })
      opening.setAAD(Buffer.from(head)).setAuthTag(sealed.subarray(-tagBytes))
      return Buffer.concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()])
    },
  }
}

/** Finds damage, not forgery: anybody can compute a digest. */
export function digestingSeal(head: string): ChunkSeal {
  const digestOf = (chunk: Buffer, place: number, isLast: boolean) =>
    createHash("sha256").update(head).update(nonceOf(place, isLast)).update(chunk).digest()
  return {
    seal: (chunk, place, isLast) => Buffer.concat([chunk, digestOf(chunk, place, isLast)]),
    open(sealed, place, isLast) {
      const chunk = sealed.subarray(0, -digestBytes)
      if (!timingSafeEqual(digestOf(chunk, place, isLast), sealed.subarray(-digestBytes))) throw new Error("damaged")
      return chunk
    },
  }
}

/** Eleven bytes of place, one that says whether it is the last. */
function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(place, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

export async function* sealChunks(source: AsyncIterable<Buffer>, seal: ChunkSeal): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  let place = 0
  for await (const part of source) {
    waiting.push(part)
    bytes += part.length
    if (bytes <= chunkBytes) continue
    let whole = Buffer.concat(waiting)
    // The last chunk is only known at the end, so one is held back.
    while (whole.length > chunkBytes) {
      yield framed(seal.seal(whole.subarray(0, chunkBytes), place, false))
      whole = whole.subarray(chunkBytes)
      place += 1
    }
    waiting = [whole]
    bytes = whole.length
  }
  yield framed(seal.seal(Buffer.concat(waiting), place, true))
}

function framed(sealed: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(sealed.length)
  return Buffer.concat([length, sealed])
}

/** Reads exact numbers of bytes off a stream; null at its end, and a shorter rest never. */
export function createByteReader(source: Readable): (bytes: number) => Promise<Buffer | null> {
  const parts = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let held: Buffer = Buffer.alloc(0)
  return async (bytes) => {
    if (held.length >= bytes) {
      const taken = held.subarray(0, bytes)
      held = held.subarray(bytes)
      return taken
    }
    const gathered = [held]
    let length = held.length
    while (length < bytes) {
      const next = await parts.next()
      if (next.done === true) break
      gathered.push(next.value)
      length += next.value.length
    }
    const all = Buffer.concat(gathered)
    held = all.subarray(bytes)
    if (all.length === 0) return null
    if (all.length < bytes) throw damaged()
    return all.subarray(0, bytes)
  }
}

/** The opened chunks. Only a stream that is read to its end has been found whole. */
export async function* openChunks(
  read: (bytes: number) => Promise<Buffer | null>,
  seal: ChunkSeal,
): AsyncGenerator<Buffer> {
  let current = await readFrame(read)
  if (current === null) throw damaged()
  for (let place = 0; ; place += 1) {
    const next = await readFrame(read)
    yield opened(seal, current, place, next === null)
    if (next === null) return
    current = next
  }
}

async function readFrame(read: (bytes: number) => Promise<Buffer | null>): Promise<Buffer | null> {
  const length = await read(lengthBytes)
  if (length === null) return null
  const bytes = length.readUInt32BE()
  if (bytes < tagBytes || bytes > mostSealedBytes) throw damaged()
  const sealed = await read(bytes)
  if (sealed === null) throw damaged()
  return sealed
}

function opened(seal: ChunkSeal, sealed: Buffer, place: number, isLast: boolean): Buffer {
  try {
    return seal.open(sealed, place, isLast)
  } catch (cause) {
    throw damaged(cause)
  }
}

function damaged(cause?: unknown): StartError {
  return new StartError("O arquivo de backup está danificado, incompleto ou foi alterado: nada foi restaurado.", {
    cause,
  })
}
