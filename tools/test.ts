import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { prepareChromium } from "./find-chromium.ts"
import { runTool } from "./run-tool.ts"
import { type Counts, closingLine, countPart, countPlaywright, countVitest, vitestFailures } from "./test-results.ts"

await prepareChromium().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
const reports = await mkdtemp(join(tmpdir(), "tilinta-test-"))
const vitestReport = join(reports, "vitest.json")
process.exitCode = await runEveryPart().finally(() => rm(reports, { recursive: true, force: true }))

/** Runs each part even after a failure, so that one run reports everything that is wrong. */
async function runEveryPart(): Promise<number> {
  const parts = [await runChecks(), await runVitest(), await runBrowserTests()]
  await showVitestFailures()
  console.log(`\n${closingLine(parts)}`)
  return parts.some((part) => part.failed > 0) ? 1 : 0
}

async function runChecks(): Promise<Counts> {
  heading("npm run check")
  const { exitCode } = await runTool("node", ["tools/check.ts"], { output: "shown" })
  return countPart(exitCode, null)
}

async function runVitest(): Promise<Counts> {
  heading("vitest")
  const parameters = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`]
  const { exitCode } = await runTool("vitest", parameters, { output: "shown" })
  return countPart(exitCode, await readReport(vitestReport, countVitest))
}

async function runBrowserTests(): Promise<Counts> {
  heading("playwright")
  const file = join(reports, "playwright.json")
  const parameters = ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json"]
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const { exitCode } = await runTool("playwright", parameters, { output: "shown", env })
  return countPart(exitCode, await readReport(file, countPlaywright))
}

/**
 * Repeats vitest's failures at the end, because the browser tests have moved them far up. Playwright prints its own
 * last.
 */
async function showVitestFailures(): Promise<void> {
  const failures = (await readReport(vitestReport, vitestFailures)) ?? []
  for (const failure of failures) console.log(`\nFAILED ${failure}`)
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
