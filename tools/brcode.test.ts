import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { encodeStatic } from "@tilinta/brcode/encode"
import { afterEach, expect, test } from "vitest"

const code = encodeStatic({ key: "a@b.example", merchantName: "Loja", merchantCity: "Recife", amountCents: 1050 })
const answerToCode = { valid: true, kind: "static", key: "a@b.example", amount: "10.50", merchantCity: "Recife" }
const running = new Set<ChildProcessWithoutNullStreams>()

afterEach(() => {
  for (const child of running) child.kill("SIGKILL")
  running.clear()
})

function start(): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [fileURLToPath(new URL("brcode.ts", import.meta.url))])
  child.stdin.on("error", () => {})
  running.add(child)
  return child
}

async function answersTo(...pieces: (string | Buffer)[]): Promise<unknown[]> {
  const child = start()
  const exit = once(child, "exit")
  const answers = text(child.stdout)
  for (const piece of pieces) {
    child.stdin.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  child.stdin.end()
  expect(await exit).toEqual([0, null])
  const lines = (await answers).split("\n")
  expect(lines.pop()).toBe("")
  return lines.map((line) => JSON.parse(line))
}

const empty = { valid: false, error: "O código está vazio" }

test("each line gets its answer, in the same order", async () => {
  const answers = await answersTo(`${code}\n\n${code.slice(0, -1)}\n${code}\r\n ${code}\n`)
  expect(answers).toEqual([
    expect.objectContaining(answerToCode),
    empty,
    { valid: false, error: expect.stringMatching(/^Tamanho de campo inválido/) },
    expect.objectContaining(answerToCode),
    { valid: false, error: expect.stringMatching(/^Identificador de campo inválido/) },
  ])
})

test("the decoded fields are flat, and absent ones are left out", async () => {
  expect(await answersTo(code)).toEqual([
    {
      ...answerToCode,
      amountCents: 1050,
      merchantName: "Loja",
      txid: "***",
      payloadFormatIndicator: "01",
      merchantAccountTag: "26",
      gui: "br.gov.bcb.pix",
      mcc: "0000",
      currency: "986",
      country: "BR",
      crc: code.slice(-4),
      lint: [],
    },
  ])
})

test("no input gets no answer, and one empty line gets one", async () => {
  expect(await answersTo()).toEqual([])
  expect(await answersTo("\n")).toEqual([empty])
  expect(await answersTo("\r\n")).toEqual([empty])
})

test("lines may arrive in pieces, cut anywhere", async () => {
  const accented = Buffer.from("São\n")
  const answers = await answersTo(
    code.slice(0, 40),
    code.slice(40),
    "\r",
    "\n",
    accented.subarray(0, 2),
    accented.subarray(2),
  )
  expect(answers).toEqual([expect.objectContaining(answerToCode), expect.objectContaining({ valid: false })])
})

test("only a line feed ends a line", async () => {
  const answers = await answersTo(`${code}\r${code}\n${code}\u2028\n${code}\r\r\n${code}\r`)
  expect(answers.map((answer) => (answer as { valid: boolean }).valid)).toEqual([false, false, false, false])
})

test("a line without end is refused once, and the next one is read", async () => {
  const long = "0".repeat(300_000)
  expect(await answersTo(long, long, `${long}\n${code}\n`)).toEqual([
    { valid: false, error: "O código passa de 512 caracteres" },
    expect.objectContaining(answerToCode),
  ])
})

test("an answer comes before the next line is typed", async () => {
  const child = start()
  child.stdin.write(`${code}\n`)
  const [first] = await once(child.stdout, "data")
  expect(JSON.parse(String(first))).toMatchObject(answerToCode)
  child.stdin.end()
  expect(await once(child, "exit")).toEqual([0, null])
})

test("it ends quietly when its reader leaves", async () => {
  const child = start()
  const complaints = text(child.stderr)
  const exit = once(child, "exit")
  child.stdin.write(`${code}\n`.repeat(100_000))
  await once(child.stdout, "data")
  child.stdout.destroy()
  expect(await exit).toEqual([0, null])
  expect(await complaints).toBe("")
})

test("it waits for a slow reader instead of piling up answers", async () => {
  const child = start()
  child.stdout.pause()
  const block = `${code}\n`.repeat(10_000)
  let blocksTaken = 0
  const feed = () => child.stdin.write(block, () => blocksTaken++ < 50 && feed())
  feed()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(blocksTaken).toBeLessThan(3)
})
