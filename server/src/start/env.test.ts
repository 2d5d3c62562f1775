import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { newSecretKeyText } from "#kit/secrets"
import { EnvError, readEnv } from "./env.ts"
import { ownPortsOf } from "./parts.ts"

const defaults = {
  port: 3000,
  host: "127.0.0.1",
  publicUrl: "http://localhost:3000",
  payersUrl: null,
  dataDir: resolve("data"),
  databaseUrl: null,
  adminEmail: null,
  adminPassword: null,
  smtpUrl: null,
  protection: "relaxed",
  secretsKey: null,
  backupKeys: null,
  backupDir: null,
  backupElsewhere: false,
  checkpoint: { file: null, url: null },
  pixProvider: "simulator",
  pix: {
    environment: "producao",
    clientId: null,
    clientSecret: null,
    key: null,
    receiverName: null,
    receiverCity: "SAO PAULO",
    certFile: null,
    certKeyFile: null,
    certPassword: null,
    caFile: null,
    appKey: null,
    account: null,
    baseUrl: null,
    tokenUrl: null,
    webhookCertHeader: null,
    webhookKeyFile: null,
    dueCharges: false,
    debitAccount: null,
    replacesWebhook: false,
  },
  formerBank: null,
  simulator: {
    url: null,
    clientId: "tilinta",
    clientSecret: "tilinta-sandbox",
    receiverKey: null,
    openTo: [],
    sendsPayouts: true,
  },
  leavesBank: null,
  drainSeconds: 0,
  workers: 1,
  logLevel: "info",
  trustedProxies: ["loopback"],
  namesProxies: false,
  metricsToken: null,
  otlp: null,
}

/** Networks that nobody owns alone, in halves and in the forms that hold every IPv4 address, too. */
const everybody = [
  "0.0.0.0/0 0.0.0.0/00 10.0.0.5/0 0.0.0.0/1,128.0.0.0/1 64.0.0.0/2 10.0.0.0/7",
  "::/0 2000::/3 2400::/7 2001::/16 ::/1,8000::/1 0:0::/80 ::ffff:0:0/96 0::ffff:0.0.0.0/97",
].flatMap((line) => line.split(" "))

describe("readEnv", () => {
  test("an empty environment gives the documented defaults", () => {
    expect(readEnv({})).toEqual(defaults)
  })

  test("empty and blank strings count as unset", () => {
    const blank = Object.fromEntries(
      ["PORT", "HOST", "PUBLIC_URL", "DATA_DIR", "DATABASE_URL", "SMTP_URL", "PIX_PROVIDER", "LOG_LEVEL"].map(
        (name, index) => [name, index % 2 === 0 ? "" : "  "],
      ),
    )
    expect(readEnv({ ...blank, ADMIN_EMAIL: "", ADMIN_PASSWORD: "", SIMULATOR_CLIENT_SECRET: "" })).toEqual(defaults)
  })

  test("variables that are not ours change nothing", () => {
    expect(readEnv({ HOME: "/home/x", toString: "x" })).toEqual(defaults)
  })

  test.each([
    ["the public address follows the port", { PORT: "8080" }, { port: 8080, publicUrl: "http://localhost:8080" }],
    ["port 0 asks for a free port", { PORT: "0" }, { port: 0, publicUrl: "http://localhost:0" }],
    [
      "the public address loses its trailing slash and keeps its path",
      { PUBLIC_URL: "https://pix.exemplo.com.br/loja/" },
      { publicUrl: "https://pix.exemplo.com.br/loja", trustedProxies: ["loopback"] },
    ],
    [
      "H02: the proxies to trust are those that are named, and no others",
      { PUBLIC_URL: "https://pix.exemplo.com.br", TRUSTED_PROXIES: " 203.0.113.5, 10.0.0.0/8,fd00::/8 " },
      {
        publicUrl: "https://pix.exemplo.com.br",
        trustedProxies: ["203.0.113.5", "10.0.0.0/8", "fd00::/8"],
        namesProxies: true,
      },
    ],
    ["the data folder becomes absolute", { DATA_DIR: "./x/../y" }, { dataDir: resolve("y") }],
    [
      "both PostgreSQL schemes are taken",
      { DATABASE_URL: "postgresql://u:p@db/tilinta?sslmode=require" },
      { databaseUrl: "postgresql://u:p@db/tilinta?sslmode=require" },
    ],
    [
      "a password alone belongs to admin@localhost",
      { ADMIN_PASSWORD: " com espaços " },
      { adminEmail: "admin@localhost", adminPassword: " com espaços " },
    ],
    [
      "an e-mail alone leaves the password to be generated",
      { ADMIN_EMAIL: " dona@loja.com.br" },
      { adminEmail: "dona@loja.com.br", adminPassword: null },
    ],
    [
      "a simulator that already runs is used",
      {
        SIMULATOR_URL: "http://127.0.0.1:4000/",
        SIMULATOR_CLIENT_ID: "a",
        SIMULATOR_CLIENT_SECRET: "b",
        SIMULATOR_RECEIVER_KEY: "pix@loja.example",
      },
      {
        simulator: {
          ...{ url: "http://127.0.0.1:4000", clientId: "a", clientSecret: "b", receiverKey: "pix@loja.example" },
          openTo: [],
          sendsPayouts: true,
        },
      },
    ],
    [
      "the sandbox is open to those networks that are named",
      { SIMULATOR_OPEN_TO: "172.17.0.1, fd00::/8" },
      { simulator: { ...defaults.simulator, openTo: ["172.17.0.1", "fd00::/8"] } },
    ],
    [
      "a bank's test server on this machine needs no TLS, and the proxy's word is read as it sends it",
      { PIX_BASE_URL: "http://127.0.0.1:9000/v2", PIX_WEBHOOK_CERT_HEADER: "X-Client-Verify: SUCCESS" },
      {
        pix: {
          ...defaults.pix,
          baseUrl: "http://127.0.0.1:9000/v2",
          webhookCertHeader: { name: "x-client-verify", value: "SUCCESS" },
        },
      },
    ],
    ["SMTP over TLS", { SMTP_URL: "smtps://u:p@mail:465" }, { smtpUrl: "smtps://u:p@mail:465" }],
    ["strict protection of a sandbox", { PROTECTION: "strict" }, { protection: "strict" }],
    ["seconds to drain", { DRAIN_SECONDS: "5" }, { drainSeconds: 5 }],
    ["processes", { WORKERS: "4" }, { workers: 4 }],
    ["a process for each core", { WORKERS: "auto" }, { workers: availableParallelism() }],
    [
      "a collector of traces",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://coletor:4318/", OTEL_EXPORTER_OTLP_HEADERS: "X-Key=a%20b,y=50%" },
      { otlp: { url: "http://coletor:4318", headers: { "x-key": "a b", y: "50%" }, service: "tilinta", share: 1 } },
    ],
    ["log level", { LOG_LEVEL: "debug" }, { logLevel: "debug" }],
  ])("%s", (_name, source, expected) => {
    expect(readEnv(source)).toMatchObject(expected)
  })

  test.each([
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "1e3"],
    ["PORT", "abc"],
    ["PROTECTION", "frouxa"],
    ["SECRETS_KEY", "curta-demais"],
    ["HOST", "a b"],
    ["PUBLIC_URL", "ftp://exemplo.com"],
    ["PUBLIC_URL", "loja.example"],
    ["PUBLIC_URL", "https://exemplo.com.br/?a=1"],
    ["PUBLIC_URL", "https://u:segredo@exemplo.com.br"],
    ["DATABASE_URL", "mysql://u:segredo@db/x"],
    ["DATABASE_URL", "segredo"],
    ["DATABASE_URL", "mysql://u:segredo@a,b/x"],
    ["DATABASE_URL", "postgres://u:segredo@a:x,b/x"],
    ["ADMIN_EMAIL", "admin"],
    ["ADMIN_PASSWORD", "segredo"],
    ["SMTP_URL", "http://u:segredo@mail"],
    ["TRUSTED_PROXIES", "10.0.0.5,segredo"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ...everybody.flatMap((value): [string, string][] => [
      ["TRUSTED_PROXIES", value],
      ["SIMULATOR_OPEN_TO", value],
    ]),
    ["SIMULATOR_OPEN_TO", "uniquelocal"],
    ["METRICS_TOKEN", "segredo"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "coletor:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "chave"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ["PIX_PROVIDER", "banco-x"],
    ["PIX_ENVIRONMENT", "teste"],
    ["PIX_KEY", "chave segredo"],
    ["PIX_KEY", "segredo"],
    ["PIX_KEY", "11.222.333/0001-82"],
    ["PIX_KEY", "529.982.247-26"],
    ["PIX_KEY", "12ABC34501DE36"],
    ["PIX_KEY", "00987654321"],
    ["PIX_KEY", "joão@segredo.example"],
    ["PIX_KEY", '"ana@segredo.example"'],
    ["SIMULATOR_RECEIVER_KEY", "segredo"],
    ["PIX_ACCOUNT", "12345-X"],
    ["ADMIN_EMAIL", "dona@@loja.example"],
    ["PIX_BASE_URL", "http://banco.example/segredo"],
    ["PIX_TOKEN_URL", "ftp://segredo"],
    ["PIX_WEBHOOK_CERT_HEADER", "segredo"],
    ["SIMULATOR_URL", "10.0.0.9:4100"],
    ["DRAIN_SECONDS", "61"],
    ["DRAIN_SECONDS", "5s"],
    ["WORKERS", "0"],
    ["WORKERS", "65"],
    ["WORKERS", "many"],
    ["LOG_LEVEL", "verbose"],
  ])("%s=%s ends the start with one line that names the variable and not its value", (name, value) => {
    const message = errorOf({ [name]: value }).message
    expect(message).toContain(`Variável de ambiente ${name} inválida`)
    expect(message).not.toContain("\n")
    expect(message).not.toContain(value)
    expect(message).not.toContain("segredo")
  })

  test("a simulator elsewhere needs the Pix key of the account there", () => {
    expect(errorOf({ SIMULATOR_URL: "http://127.0.0.1:4000" }).message).toContain("SIMULATOR_RECEIVER_KEY ausente")
  })

  test("an unknown provider is answered with the ones there are", () => {
    expect(errorOf({ PIX_PROVIDER: "banco-x" }).message).toContain("valores aceitos: simulator")
  })
})

function errorOf(source: Record<string, string>): EnvError {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return error
    throw error
  }
  throw new Error("the environment was accepted")
}

test("payers may have a host name of their own, by TLS where money is real", () => {
  expect(readEnv({ PAYERS_URL: "http://pagar.local:3000/" }).payersUrl).toBe("http://pagar.local:3000")
  const bank = { PIX_PROVIDER: "efi", PUBLIC_URL: "https://loja.example" }
  expect(readEnv({ ...bank, PAYERS_URL: "https://pagar.loja.example" }).payersUrl).toBe("https://pagar.loja.example")
  for (const address of ["http://pagar.loja.example", "https://pagar.loja.example/pix"]) {
    expect(() => readEnv({ ...bank, PAYERS_URL: address })).toThrow(/^Variável de ambiente PAYERS_URL inválida: /)
  }
})

describe("secrets in files", () => {
  const folder = mkdtempSync(join(tmpdir(), "env-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const fileOf = (text: string) => {
    const file = join(folder, randomUUID())
    writeFileSync(file, text)
    return file
  }

  test("a variable that holds a secret is read from the file that NAME_FILE names, without its last line break", () => {
    const env = readEnv({
      ADMIN_EMAIL: "dona@loja.example",
      ADMIN_PASSWORD_FILE: fileOf(" senha com espaço \n"),
      DATABASE_URL_FILE: fileOf("postgres://u:p@127.0.0.1/pix\r\n"),
      METRICS_TOKEN_FILE: fileOf("0123456789abcdef"),
    })
    expect(env.adminPassword).toBe(" senha com espaço ")
    expect(env.databaseUrl).toBe("postgres://u:p@127.0.0.1/pix")
    expect(env.metricsToken).toBe("0123456789abcdef")
  })

  test("a file that isn't there, and a secret that is given twice, end the start; an empty name is none", () => {
    const missing = join(folder, "none")
    expect(() => readEnv({ SMTP_URL_FILE: missing })).toThrow(
      "Variável de ambiente SMTP_URL_FILE inválida: não foi possível ler o arquivo.",
    )
    expect(() => readEnv({ METRICS_TOKEN: "0123456789abcdef", METRICS_TOKEN_FILE: missing })).toThrow(
      "Variável de ambiente METRICS_TOKEN_FILE inválida: METRICS_TOKEN já tem valor.",
    )
    expect(readEnv({ SMTP_URL_FILE: " " }).smtpUrl).toBeNull()
  })
})

describe("the way to the database", () => {
  const realMoney = { PIX_PROVIDER: "efi", PUBLIC_URL: "https://loja.example", PIX_ENVIRONMENT: "producao" }
  const databaseOf = (variables: Record<string, string>) => readEnv(variables).databaseUrl

  test.each([
    "postgres://u:p@db.example/pix",
    "postgres://u:p@10.0.0.5:5432/pix",
    "postgres://u:p@127.0.0.1,db.example/pix",
    "postgres:///pix?host=db.example",
    "postgres://u:p@db.example/pix?sslmode=prefer",
    "postgres://u:p@db.example/pix?sslmode=",
  ])("with real money %s says nothing of TLS, and is refused without repeating it", (url) => {
    const start = () => readEnv({ ...realMoney, DATABASE_URL: url })
    expect(start).toThrow(EnvError)
    expect(start).toThrow(/^Variável de ambiente DATABASE_URL inválida: .*sslmode=verify-full.*sslmode=disable/)
    expect(start).not.toThrow(/db\.example|u:p/)
  })

  test.each([
    "postgres://u:p@db.example/pix?sslmode=verify-full",
    "postgres://u:p@a.example,b.example/pix?sslmode=require&application_name=x",
    "postgres://u:p@db.example/pix?sslmode=disable",
    "postgres://u:p@127.0.0.1/pix",
    "postgres://u:p@localhost:5433/pix",
    "postgres://u:p@[::1]/pix",
    "postgres:///pix?host=/var/run/postgresql",
    "postgres:///pix",
  ])("%s is taken", (url) => {
    expect(databaseOf({ ...realMoney, DATABASE_URL: url })).toBe(url)
  })

  test("in the sandbox and a bank's test environment nothing is asked", () => {
    const url = "postgres://u:p@db.example/pix"
    expect(databaseOf({ DATABASE_URL: url })).toBe(url)
    expect(databaseOf({ ...realMoney, PIX_ENVIRONMENT: "homologacao", DATABASE_URL: url })).toBe(url)
  })
})

describe("protection with a bank", () => {
  const bank = { PIX_PROVIDER: "efi", PUBLIC_URL: "https://loja.example" }
  const homologation = { ...bank, PIX_ENVIRONMENT: "homologacao" }

  test("is strict, and only where no real money moves it may be relaxed", () => {
    expect(readEnv(bank).protection).toBe("strict")
    expect(readEnv({ ...bank, PROTECTION: "strict" }).protection).toBe("strict")
    expect(readEnv(homologation).protection).toBe("strict")
    expect(readEnv({ ...homologation, PROTECTION: "relaxed" }).protection).toBe("relaxed")
    expect(() => readEnv({ ...bank, PROTECTION: "relaxed" })).toThrow(
      /^Variável de ambiente PROTECTION inválida: com PIX_PROVIDER=efi e dinheiro real use strict, ou deixe sem valor\.$/,
    )
  })
})

test("the first of several secret keys is the one that seals", () => {
  const [fresh, old] = [newSecretKeyText(), newSecretKeyText()]
  const ids = (text: string) => readEnv({ SECRETS_KEY: text }).secretsKey?.map(({ id }) => id)
  expect(ids(`${fresh},${old}`)).toEqual([...(ids(fresh) ?? []), ...(ids(old) ?? [])])
})

const none = { smtpUrl: null, otlp: null, checkpoint: { file: null, url: null } }
const simulator = { url: "http://127.0.0.1:4100", receiverKey: "x" }
const shared = { port: 3000, databaseUrl: "postgres://u:p@127.0.0.1:5433/pix", simulator }

test("what the server and its own programs listen on is closed to webhooks, and another machine's port is not ours", () => {
  expect(ownPortsOf(none, shared)).toEqual([3000, 5433, 4100])
  expect(
    ownPortsOf(none, { ...shared, databaseUrl: "postgres://u:p@localhost,db.example:5434/pix", simulator: null }),
  ).toEqual([3000, 5432])
  expect(
    ownPortsOf(none, { ...shared, databaseUrl: "postgres:///pix?host=/run/pg&port=5435", simulator: null }),
  ).toEqual([3000, 5435])
  const used = {
    smtpUrl: "smtp://localhost",
    otlp: { url: "http://[::1]:4318", headers: {}, service: "tilinta", share: 1 },
    checkpoint: { file: null, url: "https://cofre.example/nota" },
  }
  expect(ownPortsOf(used, { ...shared, simulator: null })).toEqual([3000, 5433, 587, 4318])
})

describe("text of a known form counts in its one form", () => {
  test.each([
    ["11.222.333/0001-81", "11222333000181"],
    ["12.abc.345/01de-35", "12ABC34501DE35"],
    ["529.982.247-25", "52998224725"],
    [" 52998224725 ", "52998224725"],
    ["+55 11 98765-4321", "+5511987654321"],
    ["(11) 98765-4321", "+5511987654321"],
    ["Ana@Loja.Example", "ana@loja.example"],
    ["71CDF9BA-C695-4E3C-B010-ABB521A3F1BE", "71cdf9ba-c695-4e3c-b010-abb521a3f1be"],
  ])("PIX_KEY=%s is %s, the former bank's and the simulator's too", (written, key) => {
    expect(readEnv({ PIX_KEY: written }).pix.key).toBe(key)
    expect(readEnv({ SIMULATOR_RECEIVER_KEY: written }).simulator.receiverKey).toBe(key)
    const former = { PIX_FORMER_PROVIDER: "efi", PIX_FORMER_KEY: written }
    expect(readEnv(former).formerBank?.pix.key).toBe(key)
  })

  test("a former bank's bad key is named as such", () => {
    expect(() => readEnv({ PIX_FORMER_PROVIDER: "efi", PIX_FORMER_KEY: "x" })).toThrow("PIX_FORMER_KEY inválida")
  })

  test("eleven digits that are a CPF and a phone are asked about", () => {
    const both = "11980000077"
    expect(errorOf({ PIX_KEY: both }).message).toMatch(/PIX_KEY inválida: pode ser CPF ou telefone/)
  })

  test("addresses are written as browsers and certificates write them", () => {
    expect(readEnv({ PUBLIC_URL: "HTTPS://Loja.Example:443/" }).publicUrl).toBe("https://loja.example")
    expect(readEnv({ PUBLIC_URL: "http://LOCALHOST:3000//" }).publicUrl).toBe("http://localhost:3000")
    expect(readEnv({ PUBLIC_URL: "https://ação.example/pix/" }).publicUrl).toBe("https://xn--ao-siap.example/pix")
    expect(readEnv({ PIX_BASE_URL: "HTTPS://Banco.example/api/v2/" }).pix.baseUrl).toBe("https://banco.example/api/v2")
    expect(readEnv({ PIX_PROVIDER: "efi", PUBLIC_URL: "HTTPS://loja.example" }).publicUrl).toBe("https://loja.example")
  })

  test("an account may be typed with its dash", () => {
    expect(readEnv({ PIX_ACCOUNT: " 123.456-7 " }).pix.account).toBe("1234567")
  })
})
