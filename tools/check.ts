import { runTool } from "./run-tool.ts"

interface Check {
  name: string
  command: [tool: string, ...parameters: string[]]
}

const atOnce = 2

const checks: Check[] = [
  { name: "types", command: typesOf(".") },
  { name: "types of the pages", command: typesOf("web") },
  { name: "types of the browser tests", command: typesOf("e2e") },
  { name: "lint", command: ["oxlint", "--type-aware"] },
  { name: "architecture", command: ["node", "tools/check-architecture.ts"] },
  { name: "format", command: ["biome", "check", "--error-on-warnings"] },
  { name: "dead code", command: ["knip"] },
  { name: "dead code kept alive by tests", command: ["knip", "--production", "--include=files,exports"] },
]

/** A second check reads what the first one found out about files that stayed as they were. */
function typesOf(project: string): Check["command"] {
  const known = `node_modules/.cache/tsc/${project === "." ? "root" : project}.tsbuildinfo`
  return ["tsc", "-p", project, "--incremental", "--tsBuildInfoFile", known]
}

/** The others read them, and no commit holds them. */
const clientTypes: Check = { name: "types of the client, written", command: ["node", "tools/client-types.ts"] }

/** Runs all checks even after a failure, so that one run reports everything that is wrong. */
async function runChecks(): Promise<number> {
  const waiting = [...checks]
  const failed = (await runCheck(clientTypes)) ? [] : [clientTypes.name]
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (!(await runCheck(check))) failed.push(check.name)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  console.log(failed.length === 0 ? "every check passed" : `failed: ${failed.join(", ")}`)
  return failed.length === 0 ? 0 : 1
}

async function runCheck({ name, command: [tool, ...parameters] }: Check): Promise<boolean> {
  const begin = performance.now()
  const { exitCode, output } = await runTool(tool, parameters, { output: "kept" })
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${exitCode === 0 ? "✓" : "✗"} ${name} (${seconds} s)`)
  const hasWarnings = /^Found [1-9]\d* warning/m.test(output)
  if (exitCode !== 0 || hasWarnings) console.log(output.trimEnd())
  return exitCode === 0
}

process.exitCode = await runChecks()
