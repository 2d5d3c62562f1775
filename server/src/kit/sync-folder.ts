import { open } from "node:fs/promises"

/** File systems and folders that don't let us, as PostgreSQL sees it, too. */
const tolerated = ["EINVAL", "EBADF", "ENOTSUP", "EACCES"]

/** Makes a name in a folder survive a power cut: a file's own sync doesn't write its name. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder)
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (!tolerated.includes((error as NodeJS.ErrnoException).code ?? "")) throw error
  }
}
