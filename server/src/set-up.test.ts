import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { afterEach, beforeEach, expect, test } from "vitest"
import { startMailServer } from "../test-support/mail-server.ts"
import { environmentFile, setUp } from "./set-up.ts"

let folder: string
let file: string
let said: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tilinta-setup-"))
  file = join(folder, "tilinta.env")
  said = []
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const prepare = (wishes: Partial<Parameters<typeof setUp>[0]>) =>
  setUp({ answers: {}, ask: null, file, insists: false, say: (line) => void said.push(line), ...wishes })

test("answers given beforehand are tried out and written, for the owner alone", async () => {
  const mails = await startMailServer()
  const answers = { PUBLIC_URL: "https://pix.loja.example", SMTP_URL: `smtp://loja:s3nh%40@127.0.0.1:${mails.port}` }
  try {
    expect(await prepare({ answers })).toBe(0)
  } finally {
    await mails.stop()
  }
  const written = parseEnv(await readFile(file, "utf8"))
  expect(written).toMatchObject(answers)
  expect(Buffer.from(written["SECRETS_KEY"] ?? "", "base64")).toHaveLength(32)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(said).toContain("✓ E-mail: o servidor aceita a conexão e a senha.")
  expect(said.some((line) => line.startsWith("✓ Token: "))).toBe(true)
})

test("a check that fails leaves no file, and never what was there before", async () => {
  const answers = { PUBLIC_URL: "https://pix.loja.example", SMTP_URL: "smtp://127.0.0.1:1" }
  expect(await prepare({ answers })).toBe(1)
  await expect(stat(file)).rejects.toThrow("ENOENT")
  await writeFile(file, "SECRETS_KEY=old\n")
  await expect(prepare({})).rejects.toThrow("já existe")
  expect(await readFile(file, "utf8")).toBe("SECRETS_KEY=old\n")
})

test("with nobody to ask the public address is a must, and a folder that isn't there is told before any check", async () => {
  await expect(prepare({})).rejects.toThrow("Falta o endereço público")
  await expect(prepare({ file: join(folder, "none", "x.env") })).rejects.toThrow(
    `A pasta ${join(folder, "none")} não existe.`,
  )
  expect(said).toEqual([])
})

test("whatever the bank still needs is asked for by name; with nobody to ask it ends with that name", async () => {
  const answers = { PUBLIC_URL: "https://pix.loja.example", PIX_PROVIDER: "efi" }
  await expect(prepare({ answers })).rejects.toThrow("PIX_CLIENT_ID")

  const asked: string[] = []
  const ask = async (question: string, usual: string) => {
    asked.push(/^[A-Z_]+/.exec(question.split("\n").at(-1) ?? "")?.[0] ?? "")
    if (asked.length > 9) throw new Error("asked enough")
    return usual === "" && question.includes("PIX_") ? "x" : usual
  }
  await expect(prepare({ answers: { ...answers, SMTP_URL: "smtp://127.0.0.1:1" }, ask })).rejects.toThrow(
    "asked enough",
  )
  expect(asked).toEqual(expect.arrayContaining(["DATABASE_URL", "PIX_CLIENT_ID", "PIX_CLIENT_SECRET"]))
})

test("an answer that programs would read differently is refused and not quoted", () => {
  expect(environmentFile({ PIX_RECEIVER_NAME: "Loja da Ana", SMTP_URL: "" })).toBe("PIX_RECEIVER_NAME=Loja da Ana\n")
  for (const value of ['a"b', "a'b", "a#b", "a\\b", "a\nB=c", " a"]) {
    expect(() => environmentFile({ PIX_CLIENT_SECRET: value })).toThrow("PIX_CLIENT_SECRET_FILE")
  }
})
