import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

/** No build tool may be imported here: `npm start` asks this question before it decides to load one. */
const webFolder = fileURLToPath(new URL(".", import.meta.url))
const repositoryFolder = fileURLToPath(new URL("..", import.meta.url))
const inputFolders = ["web/src", "web/public", "contract/src"]
const inputFiles = ["web/index.html", "web/package.json", "web/tsconfig.json", "package-lock.json"]

export const distFolder = join(webFolder, "dist")
export const previewFonts = [500, 700].flatMap((weight) => [`figtree-latin-${weight}`, `figtree-latin-ext-${weight}`])
export const builtFiles = [
  "app/index.html",
  "checkout/client.js",
  "checkout/render.js",
  ...previewFonts.map((font) => `preview/${font}.ttf`),
  "stamp.json",
]

export interface BuildStamp {
  inputs: string
}

/** True when web/dist was built from exactly the files that stand in the tree now. */
export async function isBuildFresh(): Promise<boolean> {
  if (!builtFiles.every((file) => existsSync(join(distFolder, file)))) return false
  const stamp = JSON.parse(await readFile(join(distFolder, "stamp.json"), "utf8")) as BuildStamp
  return stamp.inputs === (await hashInputs())
}

export async function hashInputs(): Promise<string> {
  const paths = (await listInputs()).sort()
  const contents = await Promise.all(paths.map((path) => readFile(path)))
  const hash = createHash("sha256")
  for (const [index, content] of contents.entries()) {
    hash.update(`${relative(repositoryFolder, paths[index] ?? "")}\0${content.length}\0`).update(content)
  }
  return hash.digest("hex")
}

async function listInputs(): Promise<string[]> {
  const inFolders = await Promise.all(inputFolders.map((folder) => listFiles(join(repositoryFolder, folder))))
  const buildScripts = (await readdir(webFolder)).filter((name) => name.endsWith(".ts"))
  return [
    ...inFolders.flat().filter((path) => !/\.test\.tsx?$/.test(path)),
    ...inputFiles.map((file) => join(repositoryFolder, file)).filter((path) => existsSync(path)),
    ...buildScripts.map((name) => join(webFolder, name)),
  ]
}

async function listFiles(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
