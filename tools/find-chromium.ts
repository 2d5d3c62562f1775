import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { chromium } from "playwright-core"
import { type Chromium, findBundledChromium, unpackChromium } from "./bundled-chromium.ts"

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"]
const macPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

interface Surroundings {
  environment?: Record<string, string | undefined>
  canRun?: (path: string) => boolean
  /** The browser of the npm package, where it can run. */
  bundled?: Chromium | null
  downloadedPath?: string
}

/** Prefers CHROMIUM_PATH, then the system's browser, then the npm package's, then one that `playwright install` left. */
export function findChromium({
  environment = process.env,
  canRun = isExecutable,
  bundled = findBundledChromium(),
  downloadedPath = chromium.executablePath(),
}: Surroundings = {}): Chromium | null {
  const chosen = environment["CHROMIUM_PATH"]
  if (chosen !== undefined && chosen !== "") return canRun(chosen) ? { executablePath: chosen } : null

  const folders = [...(environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""), "/usr/bin"]
  const installed = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  const ofSystem = [...installed, ...macPaths].find(canRun)
  if (ofSystem !== undefined) return { executablePath: ofSystem }

  return bundled ?? (canRun(downloadedPath) ? { executablePath: downloadedPath } : null)
}

/** Returns a browser that is ready to launch; throws one line when there is none. */
export async function prepareChromium(): Promise<Chromium> {
  const found = findChromium()
  if (found === null) throw new Error(whyThereIsNone(process.env["CHROMIUM_PATH"]))
  if (found === findBundledChromium()) await unpackChromium()
  return found
}

export function whyThereIsNone(chosen: string | undefined): string {
  return chosen === undefined || chosen === ""
    ? "Nenhum navegador para os testes: instale o Chromium ou o Chrome, ou execute `npx playwright-core install chromium`."
    : `CHROMIUM_PATH não indica um programa que possa ser executado: ${chosen}`
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
