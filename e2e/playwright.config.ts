import { defineConfig, type PlaywrightTestConfig } from "@playwright/test"
import { chromiumIsMissing, findChromium } from "../tools/find-chromium.ts"

const executablePath = findChromium()
if (executablePath === null) throw new Error(chromiumIsMissing)

const config: PlaywrightTestConfig = {
  testDir: ".",
  testMatch: "**/*.test.ts",
  outputDir: "../test-results",
  forbidOnly: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1280, height: 800 } } },
    { name: "phone", use: { viewport: { width: 375, height: 812 }, hasTouch: true } },
  ],
}

export default defineConfig(config)
