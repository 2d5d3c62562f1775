import { randomBytes } from "node:crypto"
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { type FileHandle, mkdtemp, open, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { newSecretKeyText, parseSecretKeys } from "#kit/secrets"
import { type BackupKeys, type BackupRecord, readBackupFile, writeBackupFile } from "./backup-file.ts"

let folder: string
let keys: BackupKeys | null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tilinta-backup-"))
  keys = newKeys()
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

function newKeys(): BackupKeys {
  const keyring = parseSecretKeys(newSecretKeyText())
  if (keyring === null) throw new Error("no key")
  return keyring
}

/** Noise that doesn't compress fills several chunks. */
const content: BackupRecord[] = [
  { kind: "about", body: Buffer.from("{}") },
  ...Array.from({ length: 40 }, () => ({ kind: "rows", body: randomBytes(20_000) }) as const),
  { kind: "rows", body: randomBytes(600_000) },
  { kind: "end", body: Buffer.alloc(0) },
]

async function* records() {
  yield* content
}

async function write(name = "one"): Promise<string> {
  const path = join(folder, name)
  await writeBackupFile(path, keys, records())
  return path
}

async function read(path: string): Promise<BackupRecord[]> {
  const found: BackupRecord[] = []
  for await (const record of readBackupFile(path, keys)) found.push(record)
  return found
}

test.each(["encrypted", "in clear text"])("a file gives back what was written into it, %s", async (how) => {
  if (how === "in clear text") keys = null
  const path = await write()
  expect(await read(path)).toEqual(content)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(["one"])
})

test("an older key still opens what it encrypted", async () => {
  const [older] = keys ?? newKeys()
  const path = await write()
  keys = [newKeys()[0], older]
  expect(await read(path)).toEqual(content)
})

test("an encrypted file shows nothing of what it holds, and no two are alike", async () => {
  const told = Buffer.from("ana@loja.example")
  const path = join(folder, "told")
  async function* oneRecord() {
    yield { kind: "secrets", body: told } as const
  }
  await writeBackupFile(path, keys, oneRecord())
  await writeBackupFile(`${path}2`, keys, oneRecord())
  expect(readFileSync(path).includes(told)).toBe(false)
  expect(chunksOf(path)[1]).not.toBe(chunksOf(`${path}2`)[1])
})

/** The salt is random, so it may hold any one character already. */
const writeOther = (bytes: Buffer, at: number) =>
  bytes.write(bytes.toString("latin1", at, at + 1) === "9" ? "8" : "9", at)

const spoilt: [string, (path: string) => Promise<void> | void][] = [
  ["a file that was cut", (path) => truncateSync(path, readFileSync(path).length - 20)],
  ["a file without its last chunk", (path) => putTogether(path, chunksOf(path).slice(0, -1))],
  ["a file with a chunk twice", (path) => putTogether(path, chunksOf(path).toSpliced(1, 0, chunksOf(path)[1] ?? ""))],
  ["a changed byte", (path) => change(path, (bytes) => bytes.writeUInt8(bytes.readUInt8(900) ^ 1, 900))],
  ["another head", (path) => change(path, (bytes) => writeOther(bytes, bytes.indexOf('"salt":"') + 9))],
  [
    "chunks in another order",
    (path) => {
      const [head = "", first = "", second = "", ...rest] = chunksOf(path)
      putTogether(path, [head, second, first, ...rest])
    },
  ],
  [
    "a chunk of another backup",
    async (path) => {
      const other = chunksOf(await write("other"))
      putTogether(path, chunksOf(path).with(1, other[1] ?? ""))
    },
  ],
]

test.each(spoilt)("%s is refused in one line", async (_name, spoil) => {
  for (const own of [keys, null]) {
    keys = own
    const path = await write(own === null ? "clear" : "encrypted")
    expect(chunksOf(path).length).toBeGreaterThan(4)
    await spoil(path)
    await expect(read(path)).rejects.toThrow(/^[^\n]*danificado[^\n]*$/)
    await rm(join(folder, "other"), { force: true })
  }
})

test("another key, no key, and a key for a file in clear text, which anybody could have made, are refused", async () => {
  const path = await write()
  keys = newKeys()
  await expect(read(path)).rejects.toThrow("BACKUP_KEY não é a chave deste backup")
  keys = null
  await expect(read(path)).rejects.toThrow("é cifrado: defina BACKUP_KEY")
  const clear = await write("clear")
  keys = newKeys()
  await expect(read(clear)).rejects.toThrow("não é cifrado")
})

test("a file of something else, or of nothing, is refused", async () => {
  const path = join(folder, "else")
  writeFileSync(path, "PGDMP and much more\n")
  await expect(read(path)).rejects.toThrow("não é um backup do Tilinta")
  writeFileSync(path, "")
  await expect(read(path)).rejects.toThrow("não é um backup do Tilinta")
  await expect(read(join(folder, "missing"))).rejects.toThrow("não existe")
})

test("a file is never written over, and a failure leaves none", async () => {
  const path = await write()
  const before = readFileSync(path)
  await expect(write()).rejects.toThrow("já existe")
  expect(readFileSync(path)).toEqual(before)
  async function* failing() {
    yield* content
    throw new Error("the database is gone")
  }
  await expect(writeBackupFile(join(folder, "two"), keys, failing())).rejects.toThrow("the database is gone")
  expect(await readdir(folder)).toEqual(["one"])
})

test("its name survives a power cut, too: the folder is written to the disk after the renaming", async () => {
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const synced: unknown[] = []
  const sync = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    synced.push([(await this.stat()).isDirectory() ? "folder" : "file", await readdir(folder)])
  })
  onTestFinished(() => sync.mockRestore())
  await write()
  expect(synced).toEqual([
    ["file", ["one.unfinished"]],
    ["folder", ["one"]],
  ])
})

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}

/** The first line, then each chunk with its length. */
function chunksOf(path: string): string[] {
  const bytes = readFileSync(path)
  const start = bytes.indexOf("\n") + 1
  const parts = [bytes.subarray(0, start)]
  for (let at = start; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    parts.push(bytes.subarray(at, end))
    at = end
  }
  return parts.map((part) => part.toString("latin1"))
}

function putTogether(path: string, parts: string[]): void {
  writeFileSync(path, parts.join(""), "latin1")
}
