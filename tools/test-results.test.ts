import { expect, test } from "vitest"
import {
  closingLine,
  countPart,
  countPlaywright,
  countVitest,
  playwrightFailures,
  vitestFailures,
} from "./test-results.ts"

const fileWith = (status: string, ...tests: string[]) => ({
  name: "sum.test.ts",
  status,
  message: status === "failed" && tests.length === 0 ? "no such module" : "",
  assertionResults: tests.map((test) => ({
    status: test,
    fullName: `a ${test} test`,
    failureMessages: test === "failed" ? ["expected 1 to be 2"] : [],
  })),
})

test("passed and failed tests of Vitest are counted", () => {
  const testResults = [fileWith("failed", "passed", "failed"), fileWith("passed", "passed")]
  expect(countVitest({ numPassedTests: 2, numFailedTests: 1, testResults })).toEqual({ passed: 2, failed: 1 })
})

test("a test file that can't be loaded is a failure", () => {
  const testResults = [fileWith("failed"), fileWith("passed", "passed")]
  expect(countVitest({ numPassedTests: 1, numFailedTests: 0, testResults })).toEqual({ passed: 1, failed: 1 })
})

test("failed tests are reported with their file and cause", () => {
  const testResults = [fileWith("failed", "passed", "failed"), fileWith("passed", "passed")]
  const failures = vitestFailures({ numPassedTests: 2, numFailedTests: 1, testResults })
  expect(failures).toEqual(["sum.test.ts\na failed test\nexpected 1 to be 2"])
})

test("a test file that can't be loaded is reported with its cause", () => {
  const failures = vitestFailures({ numPassedTests: 0, numFailedTests: 0, testResults: [fileWith("failed")] })
  expect(failures).toEqual(["sum.test.ts\nno such module"])
})

test("passed, failed and broken browser tests are counted", () => {
  const stats = { expected: 5, unexpected: 2, flaky: 1 }
  expect(countPlaywright({ stats, errors: [{ message: "no such file" }] })).toEqual({ passed: 6, failed: 3 })
})

test("failed browser tests are reported with their file and cause, however deep they stand", () => {
  const spec = (title: string, ok: boolean) => ({
    file: "pay.test.ts",
    title,
    ok,
    tests: [{ results: [{ errors: ok ? [] : [{ message: "expected 1 to be 2" }] }] }],
  })
  const suites = [{ specs: [spec("opens", true)], suites: [{ specs: [spec("pays", false)] }] }]
  const stats = { expected: 1, unexpected: 1, flaky: 0 }
  const failures = playwrightFailures({ stats, suites, errors: [{ message: "no such file" }] })
  expect(failures).toEqual(["no such file", "pay.test.ts\npays\nexpected 1 to be 2"])
})

test("a part that crashes without a report is one failure", () => {
  expect(countPart(1, null)).toEqual({ passed: 0, failed: 1 })
})

test("a part that ends badly although its tests passed is one failure", () => {
  expect(countPart(1, { passed: 7, failed: 0 })).toEqual({ passed: 7, failed: 1 })
})

test("failed tests are not counted twice when the part ends badly because of them", () => {
  expect(countPart(1, { passed: 7, failed: 2 })).toEqual({ passed: 7, failed: 2 })
})

test("the closing line sums all parts", () => {
  const parts = [
    { passed: 3, failed: 0 },
    { passed: 4, failed: 1 },
  ]
  expect(closingLine(parts)).toBe("7 passed, 1 failed")
})
