import { createPublicKey } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Logger } from "pino"
import { usualPausesMs } from "#psp/circuit"
import { addressOf, nameInBooks, PixSettingError, type PixSettings, settingOf } from "#psp/pix-settings"
import type { Psp } from "#psp/psp"
import { publishedKeys } from "./webhook-keys.ts"
import { createWooviPsp } from "./woovi-psp.ts"

const hosts = {
  producao: "https://api.woovi.com",
  homologacao: "https://api.woovi-sandbox.com",
} as const satisfies Record<PixSettings["environment"], string>

const TIMEOUT_MS = 10_000

export function connectWoovi(settings: PixSettings, log: Logger): Psp {
  const { environment, webhookKeyFile } = settings
  return createWooviPsp({
    name: nameInBooks("woovi", settings),
    baseUrl: addressOf(settings, "baseUrl", hosts),
    appId: settingOf(settings, "appKey", "PIX_PROVIDER=woovi pede o AppID, que a Woovi mostra em API/Plugins"),
    webhookKeys: [publishedKeys[environment], ...(webhookKeyFile === null ? [] : [readKey(webhookKeyFile)])],
    timeoutMs: TIMEOUT_MS,
    pausesMs: usualPausesMs,
    log,
  })
}

/** Reads Woovi's next public key, in case it replaces the published one. */
function readKey(file: string): string {
  try {
    const pem = readFileSync(file, "utf8")
    createPublicKey(pem)
    return pem
  } catch (error) {
    throw new PixSettingError("webhookKeyFile", "inválida: use um arquivo PEM com a chave pública da Woovi.", {
      cause: error,
    })
  }
}
