import { randomBytes } from "node:crypto"
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { administer, createEmptyDatabase } from "../../test-support/empty-database.ts"
import { startMailServer } from "../../test-support/mail-server.ts"
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

const prepare = (overrides: Partial<Parameters<typeof setUp>[0]>) =>
  setUp({ answers: {}, ask: null, file, insists: false, say: (line) => void said.push(line), ...overrides })

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

describe("the database that was named", () => {
  const password = "s3nha"

  /** The check's line about it. */
  async function findingOn(url: string): Promise<string> {
    const lines: string[] = []
    const answers = { PUBLIC_URL: "https://pix.loja.example", DATABASE_URL: url }
    const failures = await prepare({ answers, insists: true, say: (line) => void lines.push(line) })
    const line = lines.find((each) => each.includes("Banco de dados: ")) ?? ""
    expect(failures).toBe(line.startsWith("✓") ? 0 : 1)
    expect(line).not.toContain(password)
    return line
  }

  async function openDatabase() {
    const database = await createEmptyDatabase()
    onTestFinished(() => database.drop())
    return database
  }

  /** A user of its own, who owns nothing. */
  async function createUser(url: string, rights: string): Promise<{ user: string; url: string }> {
    const user = `setup_${randomBytes(4).toString("hex")}`
    await administer(`create role ${user} login password '${password}' ${rights}`)
    onTestFinished(() => administer(`drop owned by ${user}`, `drop role ${user}`))
    return { user, url: Object.assign(new URL(url), { username: user, password }).toString() }
  }

  test("is tried out, and stays as it was", async () => {
    const { url, owner } = await openDatabase()
    expect(await findingOn(url)).toMatch(/^✓ Banco de dados: PostgreSQL \d/)
    const { rowCount } = await owner.query("select from pg_class where relnamespace = 'public'::regnamespace")
    expect(rowCount).toBe(0)
  })

  test("isn't reached, or takes another password", async () => {
    const { url } = await openDatabase()
    expect(await findingOn("postgres://ana:s3nha@127.0.0.1:1/tilinta")).toMatch(/^✗ .*conectar ao banco.*DATABASE_URL/)
    expect(await findingOn(Object.assign(new URL(url), { password }).toString())).toMatch(/^✗ .*DATABASE_URL.*password/)
  })

  test("lets its user make no role, and says what the administrator has to run", async () => {
    const { url, owner } = await openDatabase()
    const plain = await createUser(url, "")
    expect(await findingOn(plain.url)).toContain(`que execute: GRANT tilinta_app TO ${plain.user};`)
    const { rows } = await owner.query("select pg_has_role($1, 'tilinta_app', 'member') as is_member", [plain.user])
    expect(rows).toEqual([{ is_member: false }])
  })

  test("lets its user make no table", async () => {
    const { url } = await openDatabase()
    const member = await createUser(url, "in role tilinta_app")
    expect(await findingOn(member.url)).toMatch(/^✗ .*não pode criar tabelas \(permission denied.*torne-o o dono/)
  })
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
