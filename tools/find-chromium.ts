import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { chromium } from "playwright-core"

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"]
const macPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

export const chromiumIsMissing = [
  "Nenhum Chromium encontrado: os testes de navegador precisam de um.",
  "Instale o pacote `chromium` do sistema (Debian: apt-get install chromium) ou informe CHROMIUM_PATH.",
  "No Chromium found: install your system's `chromium` package or set CHROMIUM_PATH.",
].join("\n")

interface Surroundings {
  environment?: Record<string, string | undefined>
  canRun?: (path: string) => boolean
  downloadedPath?: string
}

/** The operator's choice, then the system's, then one that `playwright install` left. Null when there is none. */
export function findChromium({
  environment = process.env,
  canRun = isExecutable,
  downloadedPath = chromium.executablePath(),
}: Surroundings = {}): string | null {
  const chosen = environment["CHROMIUM_PATH"]
  if (chosen !== undefined && chosen !== "") return canRun(chosen) ? chosen : null

  const folders = [...(environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""), "/usr/bin"]
  const installed = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...installed, ...macPaths, downloadedPath].find(canRun) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
