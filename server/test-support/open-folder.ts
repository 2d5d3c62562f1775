import { chmod, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Other accounts may enter it: in a container without user namespaces root's PostgreSQL runs as `nobody`. */
export async function makeOpenFolder(prefix: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix))
  await chmod(folder, 0o711)
  return folder
}
