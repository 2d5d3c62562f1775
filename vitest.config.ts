import { configDefaults, defineConfig } from "vitest/config"

const notTests = [...configDefaults.exclude, "**/dist/**", "e2e/**", "data/**"]

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{brcode,contract,simulator,tools,web}/**/*.test.{ts,tsx}"],
          exclude: notTests,
          testTimeout: 15_000,
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          include: ["server/**/*.test.ts"],
          exclude: notTests,
          globalSetup: ["server/test-support/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
