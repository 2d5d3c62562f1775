import { existsSync } from "node:fs"
import { mkdir, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { buildah, commit, containerFrom, run } from "./buildah.ts"

interface Bases {
  build: string
  base: string
}

const debian = "trixie"
const authorities = "/etc/ssl/certs/ca-certificates.crt"
const downloads = ["var/cache/apt", "var/lib/apt/lists"]

/**
 * A small Debian made by debootstrap, with Node, stands in for BASE, and the same with npm for BUILD_BASE: no registry of
 * images is asked. npm is the one that runs this command, and trusts the authorities that this machine trusts.
 */
export async function makeBases(folder: string, prefix: string): Promise<Bases> {
  const names = { base: `${prefix}-base`, build: `${prefix}-build-base` }
  const root = join(folder, "debian")
  await mkdir(root)
  await run("debootstrap", ["--variant=minbase", "--include=ca-certificates", debian, root])
  // Debian's own slim images hold neither packages nor lists, and the size over the base must not count them as saved.
  for (const name of downloads) {
    await rm(join(root, name), { recursive: true })
    await mkdir(join(root, name))
  }
  const system = await buildah("from", "scratch")
  await buildah("add", "--quiet", system, root, "/")
  await buildah("copy", "--quiet", system, process.execPath, "/usr/local/bin/node")
  await commit(system, names.base)
  await rm(root, { recursive: true })
  const builder = await containerFrom(names.base)
  await installNpm(builder)
  await commit(builder, names.build)
  return names
}

async function installNpm(container: string): Promise<void> {
  const command = process.env["npm_execpath"]
  if (command === undefined) throw new Error("run this as `npm run image:check`: the image is built with that npm")
  await buildah("copy", "--quiet", container, dirname(dirname(command)), "/usr/local/lib/node_modules/npm")
  await inside(container, "ln", "-s", "../lib/node_modules/npm/bin/npm-cli.js", "/usr/local/bin/npm")
  if (!existsSync(authorities)) return
  await buildah("copy", "--quiet", container, authorities, "/usr/local/share/npm-authorities.crt")
  await inside(container, "npm", "config", "set", "--global", "cafile", "/usr/local/share/npm-authorities.crt")
}

async function inside(container: string, ...command: string[]): Promise<void> {
  await buildah("run", "--isolation", "chroot", container, "--", ...command)
}
