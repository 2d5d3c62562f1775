import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const run = promisify(execFile)

/** A script that prints V8's optimisation notes for ticks, after thousands of them. */
const script = `
  import { releaseMemory } from "./release-memory.ts"
  import { holdTick } from "./hold-tick.ts"
  const makeTicks = async () => {
    for (let n = 0; n < 5_000; n += 1) process.nextTick(() => undefined)
    await new Promise((resolve) => setImmediate(resolve))
  }
  holdTick()
  await makeTicks()
  await releaseMemory()
  await makeTicks()
  const notes = new Function("made", "return %GetFeedback(made)")(process.nextTick)
  console.log(JSON.stringify([...notes].filter(Array.isArray)))
`

test("after memory was given back, ticks are made by the fast way", async () => {
  const options = { cwd: import.meta.dirname, env: { PATH: process.env.PATH } }
  const asked = ["--allow-natives-syntax", "--input-type=module-typescript", "--eval", script]
  const { stdout } = await run(process.execPath, asked, options)
  const notes = JSON.parse(stdout) as [what: string, state: string][]
  const ofFields = notes.filter(([what]) => what === "DefineKeyedOwnPropertyInLiteral")
  expect(ofFields.length).toBeGreaterThan(0)
  expect(ofFields.filter(([, state]) => !state.startsWith("MONOMORPHIC"))).toEqual([])
})
