import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { build } from "vite"
import { decompress } from "wawoff2"
import { type BuildStamp, distFolder, hashInputs, previewFonts } from "./build-stamp.ts"
import appConfig from "./vite.config.ts"
import { checkoutClientConfig, checkoutRendererConfig } from "./vite-checkout.ts"
import { verifyConfig } from "./vite-verify.ts"

const webFolder = fileURLToPath(new URL(".", import.meta.url))
const workFolderName = /^\.build-(\d+)$/
const textAssets = new Set([".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".ico"])

/** Builds next to web/dist and swaps at the end: a crash leaves the old build or none, never half of one. */
async function buildWeb(): Promise<void> {
  await removeAbandonedWork()
  const workFolder = join(webFolder, `.build-${process.pid}`)
  const target = join(workFolder, "dist")
  await mkdir(target, { recursive: true })
  try {
    const stamp: BuildStamp = { inputs: hashInputs() }
    await inProduction(() =>
      Promise.all([
        buildApp(join(target, "app")),
        buildCheckout(join(target, "checkout")),
        build(verifyConfig(join(target, "verify"))),
      ]),
    )
    await unpackPreviewFonts(join(target, "preview"))
    await nameVersion(join(target, "app"))
    await compressAssets(join(target, "app"))
    await writeFile(join(target, "stamp.json"), `${JSON.stringify(stamp)}\n`)
    await swapIn(target, join(workFolder, "old"))
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

async function buildApp(folder: string): Promise<void> {
  const options = { configFile: false, mode: "production", logLevel: "warn" } as const
  await build({ ...appConfig, ...options, build: { ...appConfig.build, outDir: folder } })
}

/** Each build has a service worker of its own, by which browsers learn of it. */
async function nameVersion(folder: string): Promise<void> {
  const [firstFile] = /\/assets\/index-[\w-]+\.js/.exec(await readFile(join(folder, "index.html"), "utf8")) ?? []
  if (firstFile === undefined) throw new Error("index.html names no first file")
  const worker = join(folder, "sw.js")
  await writeFile(worker, (await readFile(worker, "utf8")).replace("/assets/index.js", firstFile))
}

export async function buildCheckout(folder: string): Promise<void> {
  const scripts = (["client", "choosing"] as const).map((name) => build(checkoutClientConfig(folder, name)))
  await inProduction(() => Promise.all([...scripts, build(checkoutRendererConfig(folder))]))
}

/** The renderer of link previews reads TrueType, which the package's WOFF2 contains. */
async function unpackPreviewFonts(folder: string): Promise<void> {
  await mkdir(folder)
  const oneOfThem = import.meta.resolve("@fontsource/figtree/files/figtree-latin-500-normal.woff2")
  for (const font of previewFonts) {
    const packed = await readFile(new URL(`${font}-normal.woff2`, oneOfThem))
    await writeFile(join(folder, `${font}.ttf`), await decompress(packed))
  }
}

/** NODE_ENV decides which React is bundled, and a test runner sets its own. */
async function inProduction(work: () => Promise<unknown>): Promise<void> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = "production"
  await work().finally(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
}

/** Compresses once at build time, so that the server only picks the encoding that the browser accepts. */
async function compressAssets(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(paths.filter((path) => textAssets.has(extname(path))).map(compressAsset))
}

async function compressAsset(path: string): Promise<void> {
  const content = await readFile(path)
  const brotliOptions = {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, brotliOptions),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}

/** Two builds may end at the same moment: the one that finds the place taken again clears it again. */
async function swapIn(target: string, old: string): Promise<void> {
  await rename(distFolder, old).catch(unless("ENOENT"))
  await rename(target, distFolder).catch(unless("ENOTEMPTY", "EEXIST"))
  if (existsSync(target)) await swapIn(target, `${old}-again`)
}

async function removeAbandonedWork(): Promise<void> {
  for (const name of await readdir(webFolder)) {
    const pid = Number(workFolderName.exec(name)?.[1])
    if (pid > 0 && !isAlive(pid)) await rm(join(webFolder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

function unless(...expected: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!expected.includes(error.code ?? "")) throw error
  }
}

if (import.meta.main) await buildWeb()
