import { type ApiPixProfile, type BankEnvironment, standard } from "./profile.ts"

const tls = (base: string, token: string): BankEnvironment => ({ base, token, needsCertificate: false })
const mtls = (base: string, token: string): BankEnvironment => ({ base, token, needsCertificate: true })

/** Closest to the standard, and the only one here that also sends payouts under our own id. */
const efi: ApiPixProfile = {
  ...standard,
  name: "efi",
  dueCharges: true,
  automatic: true,
  label: "Efí",
  environments: {
    producao: mtls("https://pix.api.efipay.com.br/v2", "https://pix.api.efipay.com.br/oauth/token"),
    homologacao: mtls("https://pix-h.api.efipay.com.br/v2", "https://pix-h.api.efipay.com.br/oauth/token"),
  },
  token: { ...standard.token, body: "json" },
  scopes: {
    ...standard.scopes,
    payouts: ["pix.send", "gn.pix.send.read"],
    disputes: ["gn.infractions.read", "gn.infractions.write"],
  },
  payouts: { send: "/../v3/gn/pix", find: "/gn/pix/enviados/id-envio", list: "/gn/pix/enviados", checksHolder: true },
  balance: "/gn/saldo",
  disputes: "/gn/infracoes",
  skipsMtlsHeader: "x-skip-mtls-checking",
}

/** Its payouts can be queried only by the bank's own id, so a lost answer could not be resolved: paid by hand. */
const inter: ApiPixProfile = {
  ...standard,
  name: "inter",
  dueCharges: true,
  label: "Inter",
  environments: {
    producao: mtls(
      "https://cdpj.partners.bancointer.com.br/pix/v2",
      "https://cdpj.partners.bancointer.com.br/oauth/v2/token",
    ),
    homologacao: mtls(
      "https://cdpj-sandbox.partners.uatinter.co/pix/v2",
      "https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token",
    ),
  },
  token: { ...standard.token, credentials: "body", namesScopes: true },
  headers: { "x-conta-corrente": "account" },
}

/** The certificate alone authenticates. The sandbox has no token endpoint: its portal shows one. */
const sicoob: ApiPixProfile = {
  ...standard,
  name: "sicoob",
  dueCharges: true,
  label: "Sicoob",
  environments: {
    producao: mtls(
      "https://api.sicoob.com.br/pix/api/v2",
      "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
    ),
    homologacao: {
      ...tls(
        "https://sandbox.sicoob.com.br/sicoob/sandbox/pix/api/v2",
        "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
      ),
      givesToken: true,
    },
  },
  token: { ...standard.token, credentials: "body", namesScopes: true },
  needs: ["clientId", "key", "receiverName"],
  headers: { client_id: "client-id" },
}

/** Charges are at v3 since 2026, all else at v2. */
const sicredi: ApiPixProfile = {
  ...standard,
  versions: { cob: "/../v3" },
  name: "sicredi",
  dueCharges: true,
  label: "Sicredi",
  environments: {
    producao: mtls("https://api-pix.sicredi.com.br/api/v2", "https://api-pix.sicredi.com.br/oauth/token"),
    homologacao: mtls("https://api-pix-h.sicredi.com.br/api/v2", "https://api-pix-h.sicredi.com.br/oauth/token"),
  },
  token: { ...standard.token, namesScopes: true },
}

/** The product "Recebimentos Pix" of 2026; each call carries the application's key and a unique id. */
const itau: ApiPixProfile = {
  ...standard,
  name: "itau",
  label: "Itaú",
  environments: {
    producao: mtls("https://pix-pj.api.itau.com/regulatorio-pix/v2", "https://sts.itau.com.br/as/token.oauth2"),
    homologacao: tls(
      "https://sandbox.devportal.itau.com.br/itau-ep9-api-regulatorio-pix-v2-externo/v2",
      "https://sandbox.devportal.itau.com.br/api/oauth/jwt",
    ),
  },
  token: { ...standard.token, credentials: "body" },
  needs: [...standard.needs, "appKey"],
  headers: { "x-itau-apikey": "app-key", "x-itau-correlationID": "uuid" },
}

/** Every call carries the application key, and charges can't be listed by time. */
const bb: ApiPixProfile = {
  ...standard,
  name: "bb",
  dueCharges: true,
  label: "Banco do Brasil",
  environments: {
    producao: mtls("https://api-pix.bb.com.br/pix/v2", "https://oauth.bb.com.br/oauth/token"),
    homologacao: tls("https://api.hm.bb.com.br/pix/v2", "https://oauth.hm.bb.com.br/oauth/token"),
  },
  token: { ...standard.token, namesScopes: true },
  needs: [...standard.needs, "appKey"],
  query: { "gw-dev-app-key": "app-key" },
  listsCharges: false,
}

/** The grant type is in the token's address, and milliseconds in a window are refused. */
const santander: ApiPixProfile = {
  ...standard,
  name: "santander",
  dueCharges: true,
  label: "Santander",
  environments: {
    producao: mtls("https://trust-pix.santander.com.br/api/v1", "https://trust-pix.santander.com.br/oauth/token"),
    homologacao: mtls(
      "https://trust-pix-h.santander.com.br/api/v1",
      "https://trust-pix-h.santander.com.br/oauth/token",
    ),
  },
  token: { ...standard.token, credentials: "body", grantType: "query" },
  readsMilliseconds: false,
}

/** Newer contracts request tokens at /auth/server/oauth/token: set PIX_TOKEN_URL. */
const bradesco: ApiPixProfile = {
  ...standard,
  name: "bradesco",
  label: "Bradesco",
  environments: {
    producao: mtls("https://qrpix.bradesco.com.br/v2", "https://qrpix.bradesco.com.br/oauth/token"),
    homologacao: mtls("https://qrpix-h.bradesco.com.br/v2", "https://qrpix-h.bradesco.com.br/oauth/token"),
  },
}

/** Banks with API Pix, by their name in PIX_PROVIDER. */
export const bankProfiles: Readonly<Record<string, ApiPixProfile>> = {
  efi,
  inter,
  sicoob,
  sicredi,
  itau,
  bb,
  santander,
  bradesco,
}

/**
 * The sandbox's bank: the standard to the letter, plus Efí's payouts and disputes. Its address is passed at the start.
 */
export const simulatorProfile: Omit<ApiPixProfile, "environments"> = {
  ...standard,
  name: "simulator",
  dueCharges: true,
  automatic: true,
  label: "Simulador (testes)",
  payouts: { send: "/gn/pix", find: "/gn/pix/enviados/id-envio", list: "/gn/pix/enviados" },
  balance: "/gn/saldo",
  disputes: "/gn/infracoes",
}
