import { spawn } from "node:child_process"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const repositoryFolder = fileURLToPath(new URL("..", import.meta.url))

const binFolder = join(repositoryFolder, "node_modules", ".bin")

interface Options {
  output: "shown" | "kept"
  env?: Record<string, string>
}

interface ToolResult {
  exitCode: number
  /** Empty when the output was passed through. */
  output: string
}

/** Runs a command of an installed package on the project's own Node, whatever the shell's PATH says. */
export function runTool(name: string, parameters: string[], { output, env = {} }: Options): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(binFolder, name), parameters, {
      cwd: repositoryFolder,
      stdio: output === "shown" ? "inherit" : ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env, PATH: `${binFolder}${delimiter}${process.env["PATH"] ?? ""}` },
    })
    let kept = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        kept += text
      })
    }
    const giveUp = (signal: NodeJS.Signals) => {
      child.kill(signal)
      child.once("close", () => process.exit(130))
    }
    process.on("SIGINT", giveUp).on("SIGTERM", giveUp)
    child.once("error", reject).once("close", (code) => {
      process.off("SIGINT", giveUp).off("SIGTERM", giveUp)
      resolve({ exitCode: code ?? 1, output: kept })
    })
  })
}
