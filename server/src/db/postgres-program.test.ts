import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { nameOurUser } from "./postgres-program.ts"

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tilinta-user-"))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

test("a user whom the system knows needs no library", async () => {
  expect(await nameOurUser(folder, { folders: [] })).toEqual({})
})

test("a uid without a name gets one from files next to the new database", async () => {
  const library = join(folder, "libnss_wrapper.so")
  await writeFile(library, "")
  const variables = await nameOurUser(folder, { hasName: false, folders: ["/nowhere", folder] })
  expect(variables).toMatchObject({ LD_PRELOAD: library })
  expect(await readFile(String(variables["NSS_WRAPPER_PASSWD"]), "utf8")).toMatch(
    new RegExp(`^tilinta:x:${process.getuid?.()}:`),
  )
})

test("without the library the start ends and names the way out", async () => {
  const naming = nameOurUser(folder, { hasName: false, folders: [folder] })
  await expect(naming).rejects.toThrow(/libnss-wrapper.*DATABASE_URL/)
})
