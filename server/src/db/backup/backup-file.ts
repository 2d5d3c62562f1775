import { randomBytes } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createZstdCompress, createZstdDecompress } from "node:zlib"
import { StartError } from "#kit/errors"
import { syncFolder } from "#kit/folders"
import {
  type ChunkSeal,
  createByteReader,
  digestingSeal,
  encryptingSeal,
  openChunks,
  sealChunks,
} from "#kit/sealed-chunks"
import type { SecretKeys } from "#kit/secrets"

/** The keys of BACKUP_KEY: the first one encrypts, all of them decrypt. */
export type BackupKeys = ReturnType<SecretKeys>

/** The first line of the file, in clear text, and authenticated with everything below it. */
interface Head {
  tilinta: "backup"
  format: number
  /** Null where the file is not encrypted. */
  keyId: string | null
  salt: string
}

/** Readers refuse a newer one. */
const format = 1
const longestHead = 1_000

/** A record of the stream: a kind, and what it holds. */
export interface BackupRecord {
  kind: "about" | "table" | "rows" | "table-end" | "sequences" | "secrets" | "end"
  body: Buffer
}

const kinds = ["about", "table", "rows", "table-end", "sequences", "secrets", "end"] as const
const mostRecordBytes = 1024 * 1024 * 1024

/** A file that a hard kill leaves behind is recognised by it. */
export const unfinishedEnding = ".unfinished"

/** Written next to its place and renamed, so that a file of that name is always whole. Returns its size. */
export async function writeBackupFile(
  path: string,
  keys: BackupKeys | null,
  records: AsyncIterable<BackupRecord>,
): Promise<number> {
  await refuseExisting(path)
  const unfinished = `${path}${unfinishedEnding}`
  const file = await open(unfinished, "w", 0o600).catch((error: unknown) => {
    throw notWritable(path, error)
  })
  try {
    const bytes = await fill(file, keys, records)
    await file.sync()
    await refuseExisting(path)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return bytes
  } catch (error) {
    await rm(unfinished, { force: true })
    throw isOfTheDisk(error) ? notWritable(path, error) : error
  } finally {
    await file.close().catch(() => undefined)
  }
}

async function refuseExisting(path: string): Promise<void> {
  const known = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw notWritable(path, error)
  })
  if (known === null) return
  await known.close()
  throw new StartError(`O arquivo ${path} já existe: escolha outro nome.`)
}

async function fill(file: FileHandle, keys: BackupKeys | null, records: AsyncIterable<BackupRecord>): Promise<number> {
  const salt = randomBytes(32)
  const head: Head = { tilinta: "backup", format, keyId: keys?.[0].id ?? null, salt: salt.toString("base64") }
  const line = `${JSON.stringify(head)}\n`
  let bytes = line.length
  await file.write(line)
  await pipeline(
    Readable.from(framed(records), { objectMode: false }),
    createZstdCompress(),
    (compressed: AsyncIterable<Buffer>) => sealChunks(compressed, sealOf(line, head, keys)),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        await file.writeFile(chunk)
        bytes += chunk.length
      }
    },
  )
  return bytes
}

async function* framed(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const { kind, body } of records) {
    const start = Buffer.alloc(5)
    start.writeUInt8(kinds.indexOf(kind))
    start.writeUInt32BE(body.length, 1)
    yield start
    if (body.length > 0) yield body
  }
}

/** The records of a file. Only one that is read to its end has been found whole. */
export async function* readBackupFile(path: string, keys: BackupKeys | null): AsyncGenerator<BackupRecord> {
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 })
  const content = createZstdDecompress()
  try {
    const read = createByteReader(file)
    const line = await readHead(read, path)
    const head = parseHead(line, path)
    refuseOtherKeys(head, keys)
    // An error on the way reaches the reader through `content`.
    pipeline(openChunks(read, sealOf(line, head, keys)), content).catch(() => undefined)
    yield* recordsOf(createByteReader(content))
  } catch (error) {
    throw error instanceof StartError ? error : unreadable(path, error)
  } finally {
    content.destroy()
    file.destroy()
  }
}

async function* recordsOf(read: (bytes: number) => Promise<Buffer | null>): AsyncGenerator<BackupRecord> {
  for (;;) {
    const start = await read(5)
    if (start === null) return
    const kind = kinds[start.readUInt8()]
    const bytes = start.readUInt32BE(1)
    if (kind === undefined || bytes > mostRecordBytes) throw new Error("an unknown record")
    yield { kind, body: bytes === 0 ? Buffer.alloc(0) : ((await read(bytes)) ?? Buffer.alloc(0)) }
  }
}

async function readHead(read: (bytes: number) => Promise<Buffer | null>, path: string): Promise<string> {
  let line = ""
  while (!line.endsWith("\n")) {
    const next = await read(1)
    if (next === null || line.length > longestHead) throw notOurs(path)
    line += next.toString("latin1")
  }
  return line
}

function parseHead(line: string, path: string): Head {
  let head: Head
  try {
    head = JSON.parse(line) as Head
  } catch {
    throw notOurs(path)
  }
  if (head?.tilinta !== "backup") throw notOurs(path)
  if (head.format <= format) return head
  throw new StartError(`O backup ${path} foi feito por uma versão mais nova: restaure-o com ela.`)
}

/** A file in clear text is refused where there is a key: whoever may write files could put a forged one in its place. */
function refuseOtherKeys({ keyId }: Head, keys: BackupKeys | null): void {
  if (keyId === null && keys === null) return
  if (keyId === null) {
    throw new StartError(
      "Este backup não é cifrado, e BACKUP_KEY tem valor: tire-a para restaurar o arquivo assim mesmo.",
    )
  }
  if (keys === null) throw new StartError(`Este backup é cifrado: defina BACKUP_KEY (a chave ${keyId}).`)
  if (keys.some(({ id }) => id === keyId)) return
  throw new StartError(`BACKUP_KEY não é a chave deste backup: ele pede a chave ${keyId}.`)
}

function sealOf(line: string, { keyId, salt }: Head, keys: BackupKeys | null): ChunkSeal {
  const key = keys?.find(({ id }) => id === keyId)
  return key === undefined ? digestingSeal(line) : encryptingSeal(key.key, Buffer.from(salt, "base64"), line)
}

function notOurs(path: string): StartError {
  return new StartError(`O arquivo ${path} não é um backup do Tilinta.`)
}

function unreadable(path: string, cause: unknown): StartError {
  const { code } = cause as NodeJS.ErrnoException
  if (code === "ENOENT") return new StartError(`O arquivo ${path} não existe.`, { cause })
  if (isOfTheDisk(cause)) return new StartError(`Não foi possível ler ${path} (${code}).`, { cause })
  return new StartError(`O arquivo de backup ${path} está danificado: nada foi restaurado.`, { cause })
}

function isOfTheDisk(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException
  return ["EACCES", "EPERM", "EISDIR", "ENOENT", "ENOTDIR", "ENOSPC", "EROFS", "EIO", "EDQUOT"].includes(code)
}

function notWritable(path: string, cause: unknown): StartError {
  const isFolderMissing = (cause as NodeJS.ErrnoException).code === "ENOENT"
  if (isFolderMissing) return new StartError(`A pasta ${dirname(path)} não existe.`, { cause })
  return new StartError(`Não foi possível gravar ${path} (${(cause as NodeJS.ErrnoException).code}).`, { cause })
}
