import { pipeline } from "node:stream/promises"
import { decodeBrCode } from "@tilinta/brcode/decode"

// Longer than any code and its line ending: the rest of a longer line is discarded.
const longestKept = 1024

process.stdin.setEncoding("utf8")
try {
  await pipeline(process.stdin, answerLines, process.stdout)
} catch (error) {
  if (!isClosedPipe(error)) throw error
}

/** Answers each piece of input at once, so that a person typing codes sees every answer immediately. */
async function* answerLines(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ""
  for await (const piece of input) {
    const lines = piece.split("\n")
    let answers = ""
    for (let index = 0; index < lines.length - 1; index++) {
      answers += answer(withoutCarriageReturn(rest + lines[index]))
      rest = ""
    }
    rest = (rest + lines.at(-1)).slice(0, longestKept)
    if (answers !== "") yield answers
  }
  if (rest !== "") yield answer(rest)
}

function answer(line: string): string {
  const result = decodeBrCode(line)
  const shown = result.valid ? { valid: true, ...result.code } : { valid: false, error: result.error }
  return `${JSON.stringify(shown)}\n`
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE"
}
