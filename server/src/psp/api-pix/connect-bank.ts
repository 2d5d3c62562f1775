import type { Logger } from "pino"
import { usualPausesMs } from "#psp/circuit"
import { readClientCertificate, readTrustedAuthorities } from "#psp/client-certificate"
import { addressOf, nameInBooks, PixSettingError, type PixSettings, settingOf } from "#psp/pix-settings"
import type { ApiPixOptions } from "./api-pix-psp.ts"
import type { ApiPixProfile } from "./profile.ts"

/** Short enough that a payout can be queried and sent, with a new token in between, well within its lease. */
const TIMEOUT_MS = 10_000

/** The operator's account at this bank. A missing or bad setting ends the start with a line that names its variable. */
export function bankOptions(profile: ApiPixProfile, settings: PixSettings, log: Logger): ApiPixOptions {
  const { producao, homologacao } = profile.environments
  const bank = profile.environments[settings.environment]
  const reason = `PIX_PROVIDER=${profile.name} precisa dela`
  for (const setting of profile.needs) settingOf(settings, setting, reason)
  const certificate = readClientCertificate(settings, new Date())
  if (certificate === null && bank.needsCertificate) throw new PixSettingError("certFile", `ausente: ${reason}.`)
  const needed = (setting: "clientId" | "key" | "receiverName") => settingOf(settings, setting, reason)
  const givenToken = bank.givesToken === true ? settingOf(settings, "clientSecret", "traz o token do portal") : null
  return {
    name: nameInBooks(profile.name, settings),
    profile,
    baseUrl: addressOf(settings, "baseUrl", { producao: producao.base, homologacao: homologacao.base }),
    tokenUrl: addressOf(settings, "tokenUrl", { producao: producao.token, homologacao: homologacao.token }),
    givenToken,
    clientId: needed("clientId"),
    clientSecret: settings.clientSecret,
    appKey: settings.appKey,
    account: settings.account,
    receiver: { key: needed("key"), name: needed("receiverName"), city: settings.receiverCity },
    certificate,
    authorities: readTrustedAuthorities(settings),
    webhookCertHeader: settings.webhookCertHeader,
    replacesWebhook: settings.replacesWebhook,
    timeoutMs: TIMEOUT_MS,
    pausesMs: usualPausesMs,
    log,
  }
}
