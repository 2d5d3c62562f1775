import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface LockedPackage {
  /** Given where the path does not tell it. */
  name?: string
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  /** Lies inside its parent's archive, which is verified as a whole. */
  inBundle?: boolean
  hasInstallScript?: boolean
  dev?: boolean
  devOptional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Path from the repository's folder (`node_modules/zod`) → package. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

export function readLockfile(root: string): LockedPackages {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: LockedPackages }
  return packages
}

export function isDownloaded(path: string, { link, inBundle }: LockedPackage): boolean {
  return path.includes("node_modules/") && link !== true && inBundle !== true
}
