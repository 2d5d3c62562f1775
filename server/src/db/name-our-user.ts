import { access, writeFile } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { StartError } from "#kit/errors"

const libraryFolders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]

interface Lookups {
  hasName?: boolean
  folders?: readonly string[]
}

/**
 * initdb refuses to run without its user's name, and a container may run under any uid. The library nss_wrapper answers
 * from files of our own then. Returns the variables that load it; none where the system knows the user.
 */
export async function nameOurUser(
  workshop: string,
  { hasName = hasOwnName(), folders = libraryFolders }: Lookups = {},
): Promise<Record<string, string>> {
  if (hasName) return {}
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  const library = await firstThere(folders.map((folder) => join(folder, "libnss_wrapper.so")))
  if (library === null) {
    throw new StartError(
      `O usuário ${uid} não tem nome em /etc/passwd, e sem ele o PostgreSQL embutido não cria o banco: ` +
        "instale o pacote libnss-wrapper, use outro usuário ou defina DATABASE_URL.",
    )
  }
  const passwd = join(workshop, "passwd")
  const group = join(workshop, "group")
  await writeFile(passwd, `tilinta:x:${uid}:${gid}::/:/bin/false\n`)
  await writeFile(group, `tilinta:x:${gid}:\n`)
  return { LD_PRELOAD: library, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group }
}

function hasOwnName(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

async function firstThere(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}
