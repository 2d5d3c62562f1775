import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

/** Imports no build tool: `npm start` calls this before it decides to load one. */
const webFolder = fileURLToPath(new URL(".", import.meta.url))
const repositoryFolder = fileURLToPath(new URL("..", import.meta.url))
const inputFolders = ["web/src", "web/public", "contract/src"]
const inputFiles = ["web/index.html", "web/package.json", "web/tsconfig.json", "package-lock.json"]

export const distFolder = join(webFolder, "dist")
export const previewFonts = [500, 700].flatMap((weight) => [`figtree-latin-${weight}`, `figtree-latin-ext-${weight}`])
const builtFiles = [
  "app/index.html",
  "checkout/client.js",
  "checkout/render.js",
  "verify/page.js",
  "verify/statement.js",
  "verify/worker.js",
  ...previewFonts.map((font) => `preview/${font}.ttf`),
  "stamp.json",
]

export interface BuildStamp {
  inputs: string
}

/** True when web/dist was built from exactly the current files. Synchronous, because every start waits for it. */
export function isBuildFresh(): boolean {
  if (!builtFiles.every((file) => existsSync(join(distFolder, file)))) return false
  const stamp = JSON.parse(readFileSync(join(distFolder, "stamp.json"), "utf8")) as BuildStamp
  return stamp.inputs === hashInputs()
}

export function hashInputs(): string {
  const hash = createHash("sha256")
  for (const path of listInputs().sort()) {
    const content = readFileSync(path)
    hash.update(`${relative(repositoryFolder, path)}\0${content.length}\0`).update(content)
  }
  return hash.digest("hex")
}

function listInputs(): string[] {
  const inFolders = inputFolders.flatMap((folder) => listFiles(join(repositoryFolder, folder)))
  const buildScripts = readdirSync(webFolder).filter((name) => name.endsWith(".ts"))
  return [
    ...inFolders.filter((path) => !/\.test\.tsx?$/.test(path)),
    ...inputFiles.map((file) => join(repositoryFolder, file)).filter((path) => existsSync(path)),
    ...buildScripts.map((name) => join(webFolder, name)),
  ]
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return entry.isFile() ? [path] : []
  })
}
