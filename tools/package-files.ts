import { readFileSync } from "node:fs"
import { join } from "node:path"
import { repositoryFolder } from "./run-tool.ts"

interface PackageFile {
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  scripts?: Record<string, string>
  workspaces?: string[]
}

/** The package.json of a workspace, `.` for the repository's own. */
export function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(repositoryFolder, folder, "package.json"), "utf8")) as PackageFile
}
