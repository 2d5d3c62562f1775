export interface Counts {
  passed: number
  failed: number
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: VitestFile[]
}

interface VitestFile {
  name: string
  status: string
  /** The reason why the file could not be loaded. */
  message: string
  assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
}

interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number; flaky: number }
  errors: { message?: string }[]
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: PlaywrightSpec[]
}

interface PlaywrightSpec {
  file: string
  title: string
  ok: boolean
  tests: { results: { errors: { message?: string }[] }[] }[]
}

/** A file that could not be loaded has no tests, and would otherwise count for nothing. */
export function countVitest(report: VitestReport): Counts {
  const brokenFiles = report.testResults.filter(isBroken)
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length }
}

/** The failures with their reasons, to be printed at the end of a log that may be cut off above. */
export function vitestFailures({ testResults }: VitestReport): string[] {
  return testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === "failed")
    const tests = failed.map((test) => [test.fullName, ...(test.failureMessages ?? [])])
    const texts = isBroken(file) ? [[file.message]] : tests
    return texts.map((text) => `${file.name}\n${text.join("\n")}`)
  })
}

function isBroken(file: VitestFile): boolean {
  return file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")
}

export function countPlaywright({ stats, errors }: PlaywrightReport): Counts {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }
}

export function playwrightFailures({ errors, suites = [] }: PlaywrightReport): string[] {
  const broken = errors.map((error) => error.message ?? "")
  return [...broken, ...suites.flatMap(failedSpecs)]
}

function failedSpecs({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  const failed = specs.filter((spec) => !spec.ok)
  const texts = failed.map(({ file, title, tests }) => {
    const reasons = tests.flatMap(({ results }) =>
      results.flatMap(({ errors }) => errors.map((error) => error.message)),
    )
    return [file, title, ...reasons].join("\n")
  })
  return [...texts, ...suites.flatMap(failedSpecs)]
}

/** A part that ended badly without a failed test (a crash, a missing browser) counts as one failure. */
export function countPart(exitCode: number, counts: Counts | null): Counts {
  const { passed, failed } = counts ?? { passed: 0, failed: 0 }
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed }
}

export function closingLine(parts: Counts[]): string {
  const passed = parts.reduce((sum, part) => sum + part.passed, 0)
  const failed = parts.reduce((sum, part) => sum + part.failed, 0)
  return `${passed} passed, ${failed} failed`
}
