import { defineConfig, type PlaywrightTestConfig } from "@playwright/test"
import { findChromium } from "../tools/find-chromium.ts"

const isSoak = process.env["SOAK"] === "1"

/**
 * Tests run in both projects, unless a tag limits them to one screen size. What is tagged `@soak`, and on a phone what is tagged `@soak-on-a-phone`, is
 * left to the soak.
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
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    permissions: ["clipboard-read", "clipboard-write"],
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    launchOptions: {
      ...findChromium(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--in-process-gpu",
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
      ...(isSoak ? { grep: /@soak(?!-)/, grepInvert: /@phone/ } : { grepInvert: /@phone|@soak(?!-)/ }),
      use: { viewport: { width: 1280, height: 800 } },
    },
    {
      name: "phone",
      ...(isSoak ? { grep: /@soak/, grepInvert: /@desktop/ } : { grepInvert: /@desktop|@soak/ }),
      use: { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true },
    },
  ],
}

export default defineConfig(config)
