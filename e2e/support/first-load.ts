import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { distFolder } from "../../web/build-stamp.ts"

const app = join(distFolder, "app")
const assets = join(app, "assets")

export interface Load {
  files: Set<string>
  gzipBytes: number
  brotliBytes: number
}

/**
 * Scripts that must arrive before a screen is rendered: its chunks, found by their texts, and everything they import.
 */
export function firstLoadOf(words: readonly string[]): Load {
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"))
  const screen = words.map((text) => {
    const found = scripts.filter((name) => readFileSync(join(assets, name), "utf8").includes(text))
    if (found.length !== 1) throw new Error(`${found.length} chunks say ${text}`)
    return found[0] ?? ""
  })
  const files = new Set<string>()
  const waiting = [...startScripts(), ...screen]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (files.has(name)) continue
    files.add(name)
    waiting.push(...importsOf(name))
  }
  return { files, gzipBytes: gzipBytesOf(files), brotliBytes: sizeOf(files, ".br") }
}

function startScripts(): string[] {
  const html = readFileSync(join(app, "index.html"), "utf8")
  return [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name ?? "")
}

/** Compressed size of the one style sheet that every screen waits for. */
export function stylesOf(compressed: "gz" | "br"): number {
  const html = readFileSync(join(app, "index.html"), "utf8")
  const [, name] = /href="\/assets\/([^"]+\.css)"/.exec(html) ?? []
  if (name === undefined) throw new Error("no style sheet")
  return statSync(join(assets, `${name}.${compressed}`)).size
}

/** Static imports only: a dynamic `import()` loads after the screen. */
function importsOf(name: string): string[] {
  const code = readFileSync(join(assets, name), "utf8")
  return [...code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)].map(([, imported]) => imported ?? "")
}

export function gzipBytesOf(files: ReadonlySet<string>): number {
  return sizeOf(files, ".gz")
}

function sizeOf(files: ReadonlySet<string>, compressed: ".gz" | ".br"): number {
  return [...files].reduce((sum, name) => sum + statSync(join(assets, `${name}${compressed}`)).size, 0)
}
