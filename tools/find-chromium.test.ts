import { expect, test } from "vitest"
import { findChromium, whyThereIsNone } from "./find-chromium.ts"

const onThisMachine = (...paths: string[]) => ({
  canRun: (path: string) => paths.includes(path),
  bundled: null,
  downloadedPath: "/cache/chrome",
})

test("CHROMIUM_PATH wins over what the system has", () => {
  const environment = { CHROMIUM_PATH: "/opt/chrome", PATH: "/usr/bin" }
  expect(findChromium({ environment, ...onThisMachine("/opt/chrome", "/usr/bin/chromium") })).toEqual({
    executablePath: "/opt/chrome",
  })
})

test("a CHROMIUM_PATH that can't be run is not replaced in silence", () => {
  const environment = { CHROMIUM_PATH: "/opt/chrome", PATH: "/usr/bin" }
  expect(findChromium({ environment, ...onThisMachine("/usr/bin/chromium") })).toBeNull()
})

test("Chromium is found under any of its names, in any folder of PATH", () => {
  const environment = { PATH: "/usr/local/bin:/snap/bin" }
  expect(findChromium({ environment, ...onThisMachine("/snap/bin/chromium-browser") })).toEqual({
    executablePath: "/snap/bin/chromium-browser",
  })
})

test("the one of the packages serves when the system has none", () => {
  const bundled = { executablePath: "/packages/chromium", env: { LD_LIBRARY_PATH: "/packages/lib" } }
  const environment = { PATH: "/usr/bin" }
  expect(findChromium({ environment, ...onThisMachine("/cache/chrome"), bundled })).toBe(bundled)
  expect(findChromium({ environment, ...onThisMachine("/usr/bin/chromium"), bundled })).not.toBe(bundled)
})

test("one that Playwright downloaded serves when neither the system nor the packages have one", () => {
  expect(findChromium({ environment: { PATH: "/usr/bin" }, ...onThisMachine("/cache/chrome") })).toEqual({
    executablePath: "/cache/chrome",
  })
})

test("without any, the answer is null", () => {
  expect(findChromium({ environment: { PATH: "/usr/bin" }, ...onThisMachine() })).toBeNull()
})

test("what is missing is said in one line, which names a CHROMIUM_PATH that can't be run", () => {
  expect(whyThereIsNone(undefined)).toMatch(/^Nenhum navegador .*$/)
  expect(whyThereIsNone("/opt/chrome")).toMatch(/^CHROMIUM_PATH .*\/opt\/chrome$/)
})
