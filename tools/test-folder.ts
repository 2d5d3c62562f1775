import { chmod, mkdtemp, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const memoryFolder = "/dev/shm"
const neededBytes = 6 * 2 ** 30

/**
 * A new folder for all that a test run writes, in memory where there is enough of it: copying a database there takes a
 * twentieth of the time, and tests copy hundreds. A pooler that root starts takes another account, and passes through.
 */
export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join((await isInMemory()) ? memoryFolder : tmpdir(), "tilinta-test-"))
  await chmod(folder, 0o711)
  return folder
}

/** Containers often have 64 MB there, and other systems nothing. */
async function isInMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(memoryFolder)
    return bavail * bsize >= neededBytes && process.availableMemory() >= 2 * neededBytes
  } catch {
    return false
  }
}
