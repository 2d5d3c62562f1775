import { configDefaults, defineConfig } from "vitest/config"
import { isSoak, longTests, soakAlone } from "./server/test-support/test-sizes.ts"

const notTests = [...configDefaults.exclude, "**/dist/**", "e2e/**", "data/**", "data-demo/**"]
// Servers started and killed as an operator would.
const wholeProcesses = [
  "lab/crash-tests/**/*.test.ts",
  "server/src/db/embedded-postgres.test.ts",
  "tools/start.test.ts",
  "examples/**/*.test.ts",
]
const propertyReports = "server/test-support/property-reports.ts"
const setupFiles = [
  propertyReports,
  "server/test-support/patient-queues.ts",
  "server/test-support/cheap-passwords.ts",
  "server/test-support/order-keys.ts",
]
const ownFolder = "server/test-support/own-folder.ts"
const globalSetup = [ownFolder, "server/test-support/global-setup.ts"]
const patient = { testTimeout: 900_000, hookTimeout: 300_000 }

const everyday = [
  {
    extends: true as const,
    test: {
      name: "unit",
      include: ["{brcode,client,contract,simulator,tools,web}/**/*.test.{ts,tsx}"],
      exclude: [...notTests, ...wholeProcesses],
      globalSetup: [ownFolder],
      setupFiles: [propertyReports],
      testTimeout: 300_000,
    },
  },
  {
    extends: true as const,
    test: {
      name: "server",
      include: ["server/**/*.test.ts"],
      exclude: [...notTests, ...wholeProcesses],
      globalSetup,
      setupFiles,
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  },
  {
    extends: true as const,
    test: {
      name: "crash",
      include: wholeProcesses,
      exclude: [...notTests, ...soakAlone],
      globalSetup: [ownFolder],
      ...patient,
      sequence: { groupOrder: 1 },
    },
  },
]
const soak = {
  extends: true as const,
  test: { name: "soak", include: [...longTests, ...soakAlone], exclude: notTests, globalSetup, setupFiles, ...patient },
}

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    // Loading the modules anew for each file costs a third of the server's tests; what a file shares it brings itself.
    isolate: false,
    unstubGlobals: true,
    restoreMocks: true,
    allowOnly: false,
    // Database notifications and closed connections may take many seconds on a busy machine.
    expect: { poll: { timeout: 90_000 } },
    projects: isSoak ? [soak] : everyday,
  },
})
