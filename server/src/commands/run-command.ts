import { inspect } from "node:util"
import { StartError } from "#kit/errors"

interface Command {
  /** One line that says how the command is called. */
  usage: string
  /** Begins the line about an error that nobody foresaw. */
  failure: string
  /** 1 by default; another one where 1 is an answer. */
  failureCode?: number
  /** Returns the exit code. */
  run: () => Promise<number>
}

/** Runs a command and exits with its code. An error is one line; its stack follows only with LOG_LEVEL=debug or trace. */
export async function runCommand({ usage, failure, failureCode = 1, run }: Command): Promise<void> {
  try {
    process.exit(await run())
  } catch (error) {
    process.stderr.write(`${lineOf(error, usage, failure)}\n`)
    if (/^(?:debug|trace)$/.test(process.env["LOG_LEVEL"] ?? "")) process.stderr.write(`${inspect(error)}\n`)
    process.exit(failureCode)
  }
}

function lineOf(error: unknown, usage: string, failure: string): string {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return `${failure}: ${String(error)}`
  const { code, path, message }: NodeJS.ErrnoException = error
  if (code?.startsWith("ERR_PARSE_ARGS") === true) return usage
  if (code === "ENOENT" && path !== undefined) return `O arquivo ${path} não existe.`
  return `${failure}: ${message.split("\n", 1)[0] || (code ?? error.name)}`
}
