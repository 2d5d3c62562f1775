import { existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { repositoryFolder, runTool } from "./run-tool.ts"

/** As a browser's `launch` takes it. */
export interface Chromium {
  executablePath: string
  env?: Record<string, string>
}

const packageFolder = join(repositoryFolder, "node_modules/@sparticuz/chromium")
const cacheFolder = join(repositoryFolder, "node_modules/.cache")

const bundled = describeBundled()

/** The one in the npm package `@sparticuz/chromium`, which brings its libraries and a font; it runs on Linux x64 alone. */
export function findBundledChromium(): Chromium | null {
  return bundled?.chromium ?? null
}

/** Unpacks aside and renames, so that neither a kill nor a second process leaves half a browser. */
export async function unpackChromium(): Promise<void> {
  if (bundled === null || existsSync(bundled.folder)) return
  await mkdir(cacheFolder, { recursive: true })
  const unpacking = await mkdtemp(`${bundled.folder}-`)
  try {
    // The package unpacks into the temporary folder, and its libraries only for a runtime without any.
    const env = { TMPDIR: unpacking, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" }
    const { exitCode, output } = await runTool("node", ["tools/unpack-chromium.ts"], { output: "kept", env })
    if (exitCode !== 0) throw new Error(`O navegador dos testes não pôde ser preparado: ${output}`)

    await writeFile(join(unpacking, "fonts.conf"), fontConfiguration)
    await rename(unpacking, bundled.folder).catch((error: unknown) => {
      if (!existsSync(bundled.folder)) throw error
    })
  } finally {
    await rm(unpacking, { recursive: true, force: true })
  }
}

/** The package's own names folders of a serverless runtime. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

function describeBundled(): { folder: string; chromium: Chromium } | null {
  if (process.platform !== "linux" || process.arch !== "x64" || !existsSync(packageFolder)) return null
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }
  const folder = join(cacheFolder, `chromium-${version}`)
  return {
    folder,
    chromium: {
      executablePath: join(folder, "chromium"),
      env: {
        ...presentEnvironment(),
        LD_LIBRARY_PATH: join(folder, "al2023/lib"),
        FONTCONFIG_FILE: join(folder, "fonts.conf"),
        XDG_CACHE_HOME: folder,
      },
    },
  }
}

function presentEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
