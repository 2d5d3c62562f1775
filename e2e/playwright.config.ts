import { defineConfig, type PlaywrightTestConfig } from "@playwright/test"
import { findChromium } from "../tools/find-chromium.ts"

const isSoak = process.env["SOAK"] === "1"
/** Journeys of administrators whose calls the server's tests make every day, and the fault tour of all screens. */
const longFiles =
  "(?:admin-area|admin-audit|admin-settings|admin-system|admin-transactions|admin-withdrawals|bank-trouble|batch-approval|daily-closes|disputes|faults|hand-settlements|page-reports|palette|privacy)\\.test"
const inSoak = `@soak(?!-)|${longFiles}`

/**
 * Tests run in both projects, unless a tag limits them to one screen size. The long files, what is tagged `@soak`, and on a phone what is tagged
 * `@soak-on-a-phone`, are left to the soak. A pattern is matched against the file's name and the tags, too.
 */
const config: PlaywrightTestConfig = {
  testDir: ".",
  testMatch: "**/*.test.ts",
  outputDir: "../test-results",
  globalSetup: "./support/global-setup.ts",
  forbidOnly: true,
  fullyParallel: true,
  // One browser waits for the server about as long as the server works for it.
  workers: 3,
  timeout: 240_000,
  // An answer comes at once or, on a busy machine, much later; only a failure waits for so long.
  expect: { timeout: 90_000 },
  reporter: "list",
  use: {
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    permissions: ["clipboard-read", "clipboard-write"],
    contextOptions: { reducedMotion: "reduce" },
    // A worker answers in the place of the network that journeys watch and break; installed.test.ts lets it work.
    serviceWorkers: "block",
    screenshot: "only-on-failure",
    launchOptions: {
      ...findChromium(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--in-process-gpu",
        // In that process it would change the environment beside threads that read it, which now and then ends the browser.
        "--disable-software-rasterizer",
        "--disable-extensions",
        "--disable-features=Translate,OptimizationHints,MediaRouter",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    {
      name: "desktop",
      ...(isSoak ? { grep: new RegExp(inSoak), grepInvert: /@phone/ } : { grepInvert: new RegExp(`@phone|${inSoak}`) }),
      use: { viewport: { width: 1280, height: 800 } },
    },
    {
      name: "phone",
      ...(isSoak
        ? { grep: new RegExp(`@soak|${longFiles}`), grepInvert: /@desktop/ }
        : { grepInvert: new RegExp(`@desktop|@soak|${longFiles}`) }),
      use: { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true },
    },
  ],
}

export default defineConfig(config)
