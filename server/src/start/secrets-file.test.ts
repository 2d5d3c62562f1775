import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openSecret, parseSecretKeys, sealSecret } from "#kit/secrets"
import { addKeyToFile, openSecretKeys } from "./secrets-file.ts"

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tilinta-secrets-"))
})

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

const open = (folder = dataDir) => openSecretKeys({ dataDir: folder, secretsKey: null })
const file = () => join(dataDir, "secrets.key")
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test("the first start makes a key that only its owner reads, and later ones keep it", async () => {
  const keys = await open()
  expect(await modeOf(file())).toBe(0o600)
  expect((await open())()).toEqual(keys())
  expect(await readdir(dataDir)).toEqual(["secrets.key"])
})

test("a folder that isn't there is made, closed to others", async () => {
  await open(join(dataDir, "new"))
  expect(await modeOf(join(dataDir, "new"))).toBe(0o700)
})

test("processes that start at once agree on one key", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => open()))
  expect(new Set(all.map((keys) => keys()[0].id)).size).toBe(1)
})

test("a key that others may read is closed to them", async () => {
  await open()
  await chmod(file(), 0o644)
  await open()
  expect(await modeOf(file())).toBe(0o600)
})

test("a server that runs seals with a key that was added meanwhile, and still opens what it sealed before", async () => {
  const keys = await open()
  const [old] = keys()
  const before = sealSecret(keys, "segredo", "x")
  await addKeyToFile(dataDir)
  expect(sealSecret(keys, "segredo", "x").keyId).not.toBe(old.id)
  expect(openSecret(keys, before, "x")).toBe("segredo")
  expect(await modeOf(file())).toBe(0o600)
})

test("a damaged file, and a folder that can't be written, end the start with one line", async () => {
  await writeFile(file(), "nada")
  await expect(open()).rejects.toThrow(/^O arquivo .*secrets\.key está danificado/)
  await expect(open(file())).rejects.toThrow(/^SECRETS_KEY ausente/)
})

test("with SECRETS_KEY no file is made", async () => {
  await open()
  const secretsKey = parseSecretKeys(await readFile(file(), "utf8"))
  await rm(file())
  expect((await openSecretKeys({ dataDir, secretsKey }))()).toBe(secretsKey)
  expect(await readdir(dataDir)).toEqual([])
})
