import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { isBuildFresh } from "../web/build-stamp.ts"
import { prepareChromium } from "./find-chromium.ts"
import { canBuildImages, imagePrograms } from "./image/buildah.ts"
import { runTool } from "./run-tool.ts"
import { makeTestFolder } from "./test-folder.ts"
import {
  type Counts,
  closingLine,
  countPart,
  countPlaywright,
  countVitest,
  playwrightFailures,
  vitestFailures,
} from "./test-results.ts"

/** `npm test`, or with `soak` the long tests at full size. */
const isSoak = process.argv[2] === "soak"
const failures: string[] = []

const folder = await makeTestFolder()
// The tests and the servers that they start take it as the system's folder for temporary files.
process.env["TMPDIR"] = folder
process.exitCode = await runEveryPart().finally(() => rm(folder, { recursive: true, force: true }))

/** Runs each part even after a failure, so that one run reports everything that is wrong. */
async function runEveryPart(): Promise<number> {
  const parts = isSoak ? await runSoakParts() : await runEverydayParts()
  // Repeated at the end, because later parts have moved them far up.
  for (const failure of failures) console.log(`\nFAILED ${failure}`)
  console.log(`\n${closingLine(parts)}`)
  return parts.some((part) => part.failed > 0) ? 1 : 0
}

async function runEverydayParts(): Promise<Counts[]> {
  await needBrowser()
  const build = await buildPages()
  // Side by side, because browsers and killed servers wait about as long as they work; three lanes would only wait for
  // each other on two cores.
  const lanes = [inTurn(runChecks, () => runBrowserTests(), runUnitAndCrashTests), inTurn(runServerTests)]
  return [build, ...(await Promise.all(lanes)).flat()]
}

async function runSoakParts(): Promise<Counts[]> {
  await needBrowser()
  const build = await buildPages()
  return [build, await runSoak(), await runBrowserTests({ SOAK: "1" }), ...(await runImageCheck())]
}

/** Nothing else needs these programs, so they are no condition of the soak. */
async function runImageCheck(): Promise<Counts[]> {
  const programs = imagePrograms()
  if (!(await canBuildImages(programs))) {
    console.log(`\nnpm run image:check is left out here: it needs root, ${programs.join(", ")}.`)
    return []
  }
  heading("npm run image:check: some minutes")
  const begin = performance.now()
  const { exitCode } = await runTool("node", ["tools/image-check.ts"], { output: "shown" })
  console.log(`npm run image:check took ${Math.round((performance.now() - begin) / 1_000)} s`)
  return [countPart(exitCode, null)]
}

async function needBrowser(): Promise<void> {
  await prepareChromium().catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}

async function inTurn(...parts: (() => Promise<Counts>)[]): Promise<Counts[]> {
  const counts: Counts[] = []
  for (const part of parts) counts.push(await part())
  return counts
}

async function runChecks(): Promise<Counts> {
  heading("npm run check")
  const { exitCode, output } = await runTool("node", ["tools/check.ts"], { output: "kept" })
  console.log(output)
  if (exitCode !== 0) failures.push(`npm run check\n${output}`)
  return countPart(exitCode, null)
}

/** Before those that need the pages at the same time. */
async function buildPages(): Promise<Counts> {
  if (isBuildFresh()) return countPart(0, null)
  heading("npm run build")
  const { exitCode } = await runTool("node", ["web/build.ts"], { output: "shown" })
  return countPart(exitCode, null)
}

/** Waiting for PostgreSQL takes them a fifth of the time. */
function runServerTests(): Promise<Counts> {
  return runVitest("server", ["server"], { output: "kept", workers: 3 })
}

/** Crash tests wait for a third of the time. */
function runUnitAndCrashTests(): Promise<Counts> {
  return runVitest("unit, crash", ["unit", "crash"], { output: "kept", workers: 3 })
}

function runSoak(): Promise<Counts> {
  return runVitest("soak", ["soak"], { output: "shown", env: { SOAK: "1" } })
}

interface VitestRun {
  /** `kept` until the part has ended, for a part that runs beside another. */
  output: "shown" | "kept"
  workers?: number
  env?: Record<string, string>
}

async function runVitest(part: string, projects: string[], { output, workers, env = {} }: VitestRun): Promise<Counts> {
  if (output === "shown") heading(`vitest: ${part}`)
  const report = join(folder, `${projects.join("-")}.json`)
  const chosen = projects.map((project) => `--project=${project}`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const parameters = ["run", ...chosen, ...reporters, ...(workers === undefined ? [] : [`--maxWorkers=${workers}`])]
  const ended = await runTool("vitest", parameters, { output, env })
  if (output === "kept") {
    heading(`vitest: ${part}`)
    console.log(ended.output)
  }
  failures.push(...((await readReport(report, vitestFailures)) ?? []))
  return countPart(ended.exitCode, await readReport(report, countVitest))
}

async function runBrowserTests(soak: { SOAK?: "1" } = {}): Promise<Counts> {
  heading("playwright")
  const file = join(folder, "playwright.json")
  const parameters = ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json"]
  const env = { ...soak, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const { exitCode } = await runTool("playwright", parameters, { output: "shown", env })
  failures.push(...((await readReport(file, playwrightFailures)) ?? []))
  return countPart(exitCode, await readReport(file, countPlaywright))
}

async function readReport<Report, Read>(file: string, read: (report: Report) => Read): Promise<Read | null> {
  try {
    return read(JSON.parse(await readFile(file, "utf8")) as Report)
  } catch {
    return null
  }
}

function heading(part: string): void {
  console.log(`\n── ${part} ${"─".repeat(60 - part.length)}`)
}
