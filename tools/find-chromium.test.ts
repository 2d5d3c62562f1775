import { expect, test } from "vitest"
import { findChromium } from "./find-chromium.ts"

const onThisMachine = (...paths: string[]) => ({
  canRun: (path: string) => paths.includes(path),
  downloadedPath: "/cache/chrome",
})

test("CHROMIUM_PATH wins over what the system has", () => {
  const environment = { CHROMIUM_PATH: "/opt/chrome", PATH: "/usr/bin" }
  expect(findChromium({ environment, ...onThisMachine("/opt/chrome", "/usr/bin/chromium") })).toBe("/opt/chrome")
})

test("a CHROMIUM_PATH that can't be run is not replaced in silence", () => {
  const environment = { CHROMIUM_PATH: "/opt/chrome", PATH: "/usr/bin" }
  expect(findChromium({ environment, ...onThisMachine("/usr/bin/chromium") })).toBeNull()
})

test("Chromium is found under any of its names, in any folder of PATH", () => {
  const environment = { PATH: "/usr/local/bin:/snap/bin" }
  expect(findChromium({ environment, ...onThisMachine("/snap/bin/chromium-browser") })).toBe(
    "/snap/bin/chromium-browser",
  )
})

test("one that Playwright downloaded serves when the system has none", () => {
  expect(findChromium({ environment: { PATH: "/usr/bin" }, ...onThisMachine("/cache/chrome") })).toBe("/cache/chrome")
})

test("without any, the answer is null", () => {
  expect(findChromium({ environment: { PATH: "/usr/bin" }, ...onThisMachine() })).toBeNull()
})
