import { expect, test } from "vitest"
import { isDownloaded, readLockfile } from "./lockfile.ts"
import { readPackage } from "./package-files.ts"
import { repositoryFolder } from "./run-tool.ts"

const { workspaces = [] } = readPackage(".")
const folders = [".", ...workspaces]
const locked = Object.entries(readLockfile(repositoryFolder))

test("every package that is installed is verified against its digest", () => {
  const downloaded = locked.filter(([path, entry]) => isDownloaded(path, entry))
  expect(downloaded.length).toBeGreaterThan(400)
  expect(downloaded.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-")).map(([path]) => path)).toEqual(
    [],
  )
})

test("the lockfile names no host: each machine installs from its own registry", () => {
  const named = locked.flatMap(([, { resolved }]) => (resolved === undefined ? [] : [resolved]))
  expect(named.filter((address) => !workspaces.includes(address))).toEqual([])
})

test("every dependency is pinned to one version", () => {
  const pinned = folders.flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = readPackage(folder)
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides })
  })
  expect(pinned.length).toBeGreaterThan(50)
  expect(pinned.filter(([, version]) => !/^(npm:@?[a-z0-9/-]+@)?\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version))).toEqual(
    [],
  )
})

test("the product has one version, whichever of its parts is asked", () => {
  expect([...new Set(folders.map((folder) => readPackage(folder).version))]).toEqual([readPackage(".").version])
})
