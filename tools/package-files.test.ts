import { existsSync, readdirSync, realpathSync } from "node:fs"
import { join, relative } from "node:path"
import { expect, test } from "vitest"
import { isDownloaded, readLockfile } from "./lockfile.ts"
import { readPackage } from "./package-files.ts"
import { repositoryFolder } from "./run-tool.ts"

const { workspaces = [] } = readPackage(".")
const folders = [".", ...workspaces]
const bin = "node_modules/.bin"
const locked = Object.entries(readLockfile(repositoryFolder))

test("every package that is installed is verified against its digest", () => {
  const downloaded = locked.filter(([path, entry]) => isDownloaded(path, entry))
  expect(downloaded.length).toBeGreaterThan(400)
  expect(downloaded.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-")).map(([path]) => path)).toEqual(
    [],
  )
})

/** The first word of each command. A signal to npm reaches what its shell becomes by exec. */
function programsOf(script: string): string[] {
  return script.split("&&").map((command) => /^\s*(?:exec )?(\S+)/.exec(command)?.[1] ?? "")
}

/** The package that an installed command comes from; a workspace's own lies outside node_modules. */
function packageOf(command: string): string {
  const [, path = ""] =
    /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(relative(repositoryFolder, realpathSync(command))) ?? []
  return path
}

test("whatever a script starts comes from a package whose digest is known, and is what that package holds", () => {
  const programs = folders.flatMap((folder) =>
    Object.values(readPackage(folder).scripts ?? {})
      .flatMap(programsOf)
      .filter((program) => program !== "npm")
      .map((program) => {
        const places = [join(repositoryFolder, folder, bin, program), join(repositoryFolder, bin, program)]
        return [program, places.find(existsSync)] as const
      }),
  )
  expect(programs.map(([program]) => program)).toContain("node")
  expect(programs.filter(([, place]) => place === undefined)).toEqual([])
  const entries = Object.fromEntries(locked)
  for (const [program, place = ""] of programs) {
    expect({ program, ...entries[packageOf(place)] }).toMatchObject({
      program,
      integrity: expect.stringMatching(/^sha512-/),
    })
    expect(entries[packageOf(place)]).not.toHaveProperty("hasInstallScript")
  }
})

test("no installed command comes from a package that the lockfile doesn't know", () => {
  const known = new Set(locked.map(([path]) => path))
  const installed = readdirSync(join(repositoryFolder, bin)).map((name) => packageOf(join(repositoryFolder, bin, name)))
  expect(installed.length).toBeGreaterThan(10)
  expect(installed.filter((path) => path !== "" && !known.has(path))).toEqual([])
})

test("the lockfile names no host: each machine installs from its own registry", () => {
  const named = locked.flatMap(([, { resolved }]) => (resolved === undefined ? [] : [resolved]))
  expect(named.filter((address) => !workspaces.includes(address))).toEqual([])
})

test("every dependency is pinned to one version", () => {
  const pinned = folders.flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies } = readPackage(folder)
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  expect(pinned.length).toBeGreaterThan(50)
  expect(pinned.filter(([, version]) => !/^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version))).toEqual([])
})

test("the product has one version, whichever of its parts is asked", () => {
  expect([...new Set(folders.map((folder) => readPackage(folder).version))]).toEqual([readPackage(".").version])
})
