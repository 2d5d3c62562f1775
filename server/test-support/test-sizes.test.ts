import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { longTests } from "./test-sizes.ts"

const repositoryFolder = fileURLToPath(new URL("../..", import.meta.url))

test("every test that runs at a smaller size runs at full size in the soak", () => {
  const files = globSync("{server/src,lab/crash-tests}/**/*.test.ts", { cwd: repositoryFolder })
  const sized = files.filter((file) => readFileSync(repositoryFolder + file, "utf8").includes("/test-sizes.ts"))
  expect(sized.toSorted()).toEqual(globSync(longTests, { cwd: repositoryFolder }).toSorted())
  expect(sized.length).toBeGreaterThan(0)
})
