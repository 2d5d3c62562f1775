import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"

/** That of `npm start`: without it each start of a program strips types from hundreds of sources again. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url)),
}

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs one of our programs until its end, with these variables alone. */
export function runProgram(file: URL, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const words = [fileURLToPath(file), ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, words, { env: { ...compileCache, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}
