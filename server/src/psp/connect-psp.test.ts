import { expect, test } from "vitest"
import { createLog } from "#kit/log"
import { readEnv } from "#start/env"
import { connectFormer } from "./connect-psp.ts"

const woovi = { PIX_PROVIDER: "woovi", PIX_APP_KEY: "x", PUBLIC_URL: "https://loja.example" }
const sicoob = {
  PIX_FORMER_PROVIDER: "sicoob",
  PIX_FORMER_ENVIRONMENT: "homologacao",
  PIX_FORMER_CLIENT_ID: "id",
  PIX_FORMER_CLIENT_SECRET: "do-portal",
  PIX_FORMER_KEY: "antiga@loja.example",
  PIX_FORMER_RECEIVER_NAME: "Loja da Ana",
}

function connect(variables: Record<string, string>) {
  const env = readEnv(variables)
  return connectFormer(env.formerBank, { provider: env.pixProvider, pix: env.pix }, createLog("silent"))
}

test("the former bank has the variables of any bank, each with FORMER in its name", () => {
  expect(connect({ ...woovi, PIX_ENVIRONMENT: "homologacao", ...sicoob })?.name).toBe("sicoob-homologacao")
  expect(connect(woovi)).toBeNull()
  expect(connect({ ...woovi, PIX_FORMER_PROVIDER: "", PIX_FORMER_KEY: " " })).toBeNull()
})

test.each([
  ["no provider", { ...sicoob, PIX_FORMER_PROVIDER: "" }, "PIX_FORMER_PROVIDER ausente"],
  ["an unknown provider", { ...sicoob, PIX_FORMER_PROVIDER: "banco" }, "PIX_FORMER_PROVIDER inválida"],
  ["the simulator", { PIX_FORMER_PROVIDER: "simulator" }, "PIX_FORMER_PROVIDER ausente"],
  ["no key", { ...sicoob, PIX_FORMER_KEY: "" }, "PIX_FORMER_KEY ausente: PIX_FORMER_PROVIDER=sicoob precisa dela"],
  ["money of another kind", { ...sicoob, PIX_ENVIRONMENT: "producao" }, "PIX_FORMER_ENVIRONMENT inválida"],
  [
    "the present bank again",
    { PIX_FORMER_PROVIDER: "woovi", PIX_FORMER_APP_KEY: "y", PIX_FORMER_ENVIRONMENT: "homologacao" },
    "PIX_FORMER_PROVIDER inválida: é o banco atual",
  ],
])("a former bank with %s ends the start with the variable's name", (_name, variables, line) => {
  expect(() => connect({ ...woovi, PIX_ENVIRONMENT: "homologacao", ...variables })).toThrow(
    `Variável de ambiente ${line}`,
  )
})

test("the sandbox has no former bank", () => {
  expect(() => connect(sicoob)).toThrow("Variável de ambiente PIX_FORMER_ENVIRONMENT inválida")
})
