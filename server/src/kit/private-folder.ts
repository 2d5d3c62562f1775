import { chmod, stat } from "node:fs/promises"

const sticky = 0o1000

/**
 * Closes a folder of ours to other users of the machine. A shared folder such as /tmp, and one that belongs to somebody
 * else, stays as it is.
 */
export async function closeFolder(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder)
  if ((mode & sticky) !== 0 || (process.getuid?.() ?? uid) !== uid) return
  await chmod(folder, 0o700)
}
