import { chmod, mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { closeFolder } from "./folders.ts"

test("a folder of ours is closed to others; a shared one stays open", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-folder-"))
  try {
    const modeAfter = async (mode: number) => {
      await chmod(folder, mode)
      await closeFolder(folder)
      return (await stat(folder)).mode & 0o7777
    }
    expect(await modeAfter(0o755)).toBe(0o700)
    expect(await modeAfter(0o777)).toBe(0o700)
    expect(await modeAfter(0o1777)).toBe(0o1777)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
