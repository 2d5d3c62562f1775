import { pipeline } from "node:stream/promises"
import { decodeBrCode } from "@tilinta/brcode/decode"

// Beyond any code, whatever its line ending: the rest of such a line is not kept.
const longestKept = 1024

process.stdin.setEncoding("utf8")
try {
  await pipeline(process.stdin, answerLines, process.stdout)
} catch (error) {
  if (!isClosedPipe(error)) throw error
}

/** One piece of output per piece of input: a person who types a code sees the answer at once. */
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
