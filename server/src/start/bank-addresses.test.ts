import { describe, expect, test } from "vitest"
import { EnvError, readEnv } from "./env.ts"

describe("a bank's addresses", () => {
  const bank = { PIX_PROVIDER: "efi", PUBLIC_URL: "https://loja.example" }
  const homologation = { ...bank, PIX_ENVIRONMENT: "homologacao" }
  const production = ["pix.api.efipay.com.br", "PIX.API.Efipay.com.br", "pix.api.efipay.com.br."]
  const others = ["pix.api.efipay.com.br:8443", "novo.pix.api.efipay.com.br", "pix.api.efipay.com.br..:443"]

  test.each(
    [...production, ...others].flatMap((host) => [
      [{ ...homologation, PIX_BASE_URL: `https://${host}/v2` }, "PIX_BASE_URL", "producao"] as const,
      [{ ...homologation, PIX_TOKEN_URL: `https://${host}/oauth/token` }, "PIX_TOKEN_URL", "producao"] as const,
      [
        { ...bank, PIX_BASE_URL: `https://${host.replace(/pix\.api/i, "pix-h.api")}/v2` },
        "PIX_BASE_URL",
        "homologacao",
      ] as const,
    ]),
  )("one of its other environment ends the start: %j", (variables, variable, other) => {
    const line = `Variável de ambiente ${variable} inválida: é um endereço de PIX_ENVIRONMENT=${other}.`
    for (const PROTECTION of ["", "strict", "relaxed"]) {
      expect(() => readEnv({ ...variables, PROTECTION })).toThrow(line)
    }
  })

  test.each([
    ["https://api-pix.bb.com.br/pix/v2", "Banco do Brasil (PIX_PROVIDER=bb)"],
    ["https://api.hm.bb.com.br/pix/v2", "Banco do Brasil (PIX_PROVIDER=bb)"],
    ["https://novo.bb.com.br./pix/v2", "Banco do Brasil (PIX_PROVIDER=bb)"],
    ["https://API.WOOVI.com:444", "Woovi (PIX_PROVIDER=woovi)"],
    ["https://outro.sicoob.com.br", "Sicoob (PIX_PROVIDER=sicoob)"],
  ])("one of another bank ends the start: %s", (address, owner) => {
    for (const environment of ["producao", "homologacao"]) {
      for (const variable of ["PIX_BASE_URL", "PIX_TOKEN_URL"]) {
        const start = () => readEnv({ ...bank, PIX_ENVIRONMENT: environment, [variable]: address })
        expect(start).toThrow(`Variável de ambiente ${variable} inválida: é um endereço de outro banco: ${owner}.`)
      }
    }
  })

  test("those of the former bank are looked at in the same way", () => {
    const former = { PIX_FORMER_PROVIDER: "inter", PIX_FORMER_BASE_URL: "https://cdpj-sandbox.partners.uatinter.co./x" }
    expect(() => readEnv({ ...bank, ...former })).toThrow(
      "Variável de ambiente PIX_FORMER_BASE_URL inválida: é um endereço de PIX_FORMER_ENVIRONMENT=homologacao.",
    )
  })

  test.each([
    "https://pix.rede.interna/v2",
    "https://pix.efipay.com.br/v2",
    "https://xpix.api.efipay.com.br.example/v2",
  ])("another one is taken, and protection stays strict: %s", (PIX_BASE_URL) => {
    expect(readEnv({ ...homologation, PIX_BASE_URL }).protection).toBe("strict")
    expect(() => readEnv({ ...homologation, PIX_BASE_URL, PROTECTION: "relaxed" })).toThrow(
      /^Variável de ambiente PROTECTION inválida: relaxed vale só com os endereços de teste do próprio banco/,
    )
  })

  test.each([
    "https://203.0.113.9/v2",
    "https://localhost.example/v2",
    "https://127.0.0.1.nip.io/v2",
    "https://[::2]/v2",
  ])("relaxed is for none of %s", (PIX_TOKEN_URL) => {
    expect(() => readEnv({ ...homologation, PIX_TOKEN_URL, PROTECTION: "relaxed" })).toThrow(EnvError)
  })

  test.each([
    "https://pix-h.api.efipay.com.br/v3",
    "https://pix-h.api.efipay.com.br.:8443",
    "https://b.pix-h.api.efipay.com.br",
    "http://127.0.0.1:9000/v2",
    "http://localhost:9000/v2",
    "https://[::1]:9000/v2",
  ])("the bank's test host and this machine may be relaxed: %s", (PIX_BASE_URL) => {
    expect(readEnv({ ...homologation, PIX_BASE_URL, PROTECTION: "relaxed" }).protection).toBe("relaxed")
  })

  test("Sicoob's token comes from the same host in both environments", () => {
    const PIX_TOKEN_URL = "https://auth.sicoob.com.br/auth/token"
    for (const PIX_ENVIRONMENT of ["producao", "homologacao"]) {
      const { pix } = readEnv({ ...bank, PIX_PROVIDER: "sicoob", PIX_ENVIRONMENT, PIX_TOKEN_URL })
      expect(pix.tokenUrl).toBe(PIX_TOKEN_URL)
    }
  })
})
