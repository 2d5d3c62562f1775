import { configDefaults, defineConfig } from "vitest/config"

const notTests = [...configDefaults.exclude, "**/dist/**", "e2e/**", "data/**", "data-demo/**"]
// Servers started and killed as an operator would: after all others, for they need the machine.
const wholeProcesses = ["server/crash-tests/**/*.test.ts", "tools/start.test.ts"]

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    // Loading the modules anew for each file costs a third of the server's tests; what a file shares it brings itself.
    isolate: false,
    unstubGlobals: true,
    restoreMocks: true,
    allowOnly: false,
    // Database notifications and closed connections may take more than a second on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{brcode,contract,simulator,tools,web}/**/*.test.{ts,tsx}"],
          exclude: [...notTests, ...wholeProcesses],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          include: ["server/**/*.test.ts"],
          exclude: [...notTests, ...wholeProcesses],
          globalSetup: ["server/test-support/global-setup.ts"],
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        extends: true,
        test: {
          name: "crash",
          include: wholeProcesses,
          exclude: notTests,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // They wait about as long as they work.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
