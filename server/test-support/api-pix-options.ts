import { createLog } from "#kit/log"
import type { ApiPixOptions } from "#psp/api-pix/api-pix-psp"
import { simulatorProfile } from "#psp/api-pix/profiles"

/** Options for a bank that follows the standard, with the test's changes. */
export function apiPixOptions(changes: Partial<ApiPixOptions> & { baseUrl: string }): ApiPixOptions {
  return {
    name: "bank",
    profile: simulatorProfile,
    tokenUrl: `${changes.baseUrl}/token`,
    givenToken: null,
    clientId: "id",
    clientSecret: "secret",
    appKey: null,
    account: null,
    receiver: { key: "our-key", name: "Loja da Ana", city: "Recife" },
    certificate: null,
    authorities: [],
    webhookCertHeader: null,
    debitAccount: { agencia: "0001", conta: "1234567", tipoConta: "PAGAMENTO" },
    replacesWebhook: false,
    timeoutMs: 20_000,
    pausesMs: [60_000],
    log: createLog("silent"),
    ...changes,
  }
}
