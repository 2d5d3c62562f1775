import { expect, test } from "vitest"
import { newSecretKeyText } from "#kit/secrets"
import { readEnv } from "./env.ts"
import { requireMail, startWarnings } from "./start-warnings.ts"

const BACKUP_KEY = newSecretKeyText()

test.each(["0.0.0.0", "::", "10.0.0.7", "pix.exemplo.com.br"])("HOST=%s needs to know its proxies", (HOST) => {
  expect(startWarnings(readEnv({ HOST }))).toEqual([expect.stringContaining("TRUSTED_PROXIES")])
  expect(startWarnings(readEnv({ HOST, TRUSTED_PROXIES: "10.0.0.5" }))).toEqual([])
  expect(startWarnings(readEnv({ HOST, TRUSTED_PROXIES: "loopback" }))).toEqual([])
})

test.each(["127.0.0.1", "127.8.0.1", "::1", "localhost"])("HOST=%s does not", (HOST) => {
  expect(startWarnings(readEnv({ HOST }))).toEqual([])
})

test("whoever opens the sandbox's mails to others is told so", () => {
  const SIMULATOR_OPEN_TO = "172.17.0.1,10.89.7.0/24"
  const said = [expect.stringContaining("to 172.17.0.1, 10.89.7.0/24")]
  expect(startWarnings(readEnv({ SIMULATOR_OPEN_TO }))).toEqual(said)
  const real = {
    PIX_PROVIDER: "efi",
    PUBLIC_URL: "https://pix.exemplo.com.br",
    DATABASE_URL: "postgres://x@localhost/x",
    BACKUP_ELSEWHERE: "sim",
    BACKUP_KEY,
  }
  expect(startWarnings(readEnv({ ...real, SMTP_URL: "smtps://mail", SIMULATOR_OPEN_TO }))).toEqual([])
})

test("with a real provider mails need a server, and without one strict protection doesn't start", () => {
  const real = { PIX_PROVIDER: "efi", PUBLIC_URL: "https://pix.exemplo.com.br", PIX_ENVIRONMENT: "homologacao" }
  const backups = { BACKUP_DIR: "/backups" }
  const mail = { ...backups, SMTP_URL: "smtps://mail.exemplo.com.br" }
  expect(() => requireMail(readEnv(real))).toThrow(
    /^Variável de ambiente SMTP_URL ausente: com PIX_PROVIDER=efi e PROTECTION=strict os e-mails precisam sair\.$/,
  )
  const relaxed = readEnv({ ...real, ...backups, PROTECTION: "relaxed" })
  for (const env of [relaxed, readEnv({ ...real, ...mail }), readEnv({ PROTECTION: "strict" })]) requireMail(env)
  expect(startWarnings(relaxed)).toEqual([expect.stringContaining("SMTP_URL")])
  expect(startWarnings(readEnv({ ...real, ...mail }))).toEqual([])
})

test("real money needs backups, in whichever database, unless another program is said to make them", () => {
  const real = {
    PIX_PROVIDER: "efi",
    PUBLIC_URL: "https://pix.exemplo.com.br",
    SMTP_URL: "smtps://mail.exemplo.com.br",
    BACKUP_KEY,
  }
  for (const database of [{}, { DATABASE_URL: "postgres://x@localhost/x" }]) {
    expect(startWarnings(readEnv({ ...real, ...database }))).toEqual([expect.stringContaining("BACKUP_DIR")])
    expect(startWarnings(readEnv({ ...real, ...database, BACKUP_DIR: "/backups" }))).toEqual([])
    expect(startWarnings(readEnv({ ...real, ...database, BACKUP_ELSEWHERE: "sim" }))).toEqual([])
  }
})

test("real money without BACKUP_KEY is warned of, whoever makes the backups", () => {
  const real = {
    PIX_PROVIDER: "efi",
    PUBLIC_URL: "https://pix.exemplo.com.br",
    SMTP_URL: "smtps://mail.exemplo.com.br",
    BACKUP_ELSEWHERE: "sim",
  }
  const said = [expect.stringContaining("BACKUP_KEY")]
  expect(startWarnings(readEnv(real))).toEqual(said)
  expect(startWarnings(readEnv({ ...real, BACKUP_DIR: "/backups" }))).toEqual(said)
  expect(startWarnings(readEnv({ ...real, PIX_PROVIDER: "woovi" }))).toEqual(said)
  expect(startWarnings(readEnv({ ...real, BACKUP_KEY: `${BACKUP_KEY},${newSecretKeyText()}` }))).toEqual([])
  expect(startWarnings(readEnv({ ...real, PIX_ENVIRONMENT: "homologacao" }))).toEqual([])
  expect(startWarnings(readEnv({}))).toEqual([])
})
