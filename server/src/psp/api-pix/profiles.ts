import { type ApiPixProfile, standard } from "./profile.ts"

/** Closest to the standard, and the only one here that also sends payouts under our own id. */
const efi: ApiPixProfile = {
  ...standard,
  name: "efi",
  label: "Efí",
  environments: {
    producao: {
      base: "https://pix.api.efipay.com.br/v2",
      token: "https://pix.api.efipay.com.br/oauth/token",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://pix-h.api.efipay.com.br/v2",
      token: "https://pix-h.api.efipay.com.br/oauth/token",
      needsCertificate: true,
    },
  },
  token: { ...standard.token, body: "json" },
  scopes: [...standard.scopes, "pix.send", "gn.pix.send.read", "gn.infractions.read", "gn.infractions.write"],
  payouts: { send: "/../v3/gn/pix", find: "/gn/pix/enviados/id-envio", list: "/gn/pix/enviados", checksHolder: true },
  balance: "/gn/saldo",
  disputes: "/gn/infracoes",
  skipsMtlsHeader: "x-skip-mtls-checking",
}

/** Its payouts can be queried only by the bank's own id, so a lost answer could not be resolved: paid by hand. */
const inter: ApiPixProfile = {
  ...standard,
  name: "inter",
  label: "Inter",
  environments: {
    producao: {
      base: "https://cdpj.partners.bancointer.com.br/pix/v2",
      token: "https://cdpj.partners.bancointer.com.br/oauth/v2/token",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://cdpj-sandbox.partners.uatinter.co/pix/v2",
      token: "https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token",
      needsCertificate: true,
    },
  },
  token: { ...standard.token, credentials: "body", namesScopes: true },
  headers: { "x-conta-corrente": "account" },
}

/** The certificate alone authenticates. The sandbox has no token endpoint: its portal shows one. */
const sicoob: ApiPixProfile = {
  ...standard,
  name: "sicoob",
  label: "Sicoob",
  environments: {
    producao: {
      base: "https://api.sicoob.com.br/pix/api/v2",
      token: "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://sandbox.sicoob.com.br/sicoob/sandbox/pix/api/v2",
      token: "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
      needsCertificate: false,
      givesToken: true,
    },
  },
  token: { ...standard.token, credentials: "body", namesScopes: true },
  needs: ["clientId", "key", "receiverName"],
  headers: { client_id: "client-id" },
}

const sicredi: ApiPixProfile = {
  ...standard,
  name: "sicredi",
  label: "Sicredi",
  environments: {
    producao: {
      base: "https://api-pix.sicredi.com.br/api/v2",
      token: "https://api-pix.sicredi.com.br/oauth/token",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://api-pix-h.sicredi.com.br/api/v2",
      token: "https://api-pix-h.sicredi.com.br/oauth/token",
      needsCertificate: true,
    },
  },
  token: { ...standard.token, namesScopes: true },
}

/** The product "Recebimentos Pix" of 2026; each call carries the application's key and a unique id. */
const itau: ApiPixProfile = {
  ...standard,
  name: "itau",
  label: "Itaú",
  environments: {
    producao: {
      base: "https://pix-pj.api.itau.com/regulatorio-pix/v2",
      token: "https://sts.itau.com.br/as/token.oauth2",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://sandbox.devportal.itau.com.br/itau-ep9-api-regulatorio-pix-v2-externo/v2",
      token: "https://sandbox.devportal.itau.com.br/api/oauth/jwt",
      needsCertificate: false,
    },
  },
  token: { ...standard.token, credentials: "body" },
  needs: [...standard.needs, "appKey"],
  headers: { "x-itau-apikey": "app-key", "x-itau-correlationID": "uuid" },
}

/** Every call carries the application key, and charges can't be listed by time. */
const bb: ApiPixProfile = {
  ...standard,
  name: "bb",
  label: "Banco do Brasil",
  environments: {
    producao: {
      base: "https://api-pix.bb.com.br/pix/v2",
      token: "https://oauth.bb.com.br/oauth/token",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://api.hm.bb.com.br/pix/v2",
      token: "https://oauth.hm.bb.com.br/oauth/token",
      needsCertificate: false,
    },
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
  label: "Santander",
  environments: {
    producao: {
      base: "https://trust-pix.santander.com.br/api/v1",
      token: "https://trust-pix.santander.com.br/oauth/token",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://trust-pix-h.santander.com.br/api/v1",
      token: "https://trust-pix-h.santander.com.br/oauth/token",
      needsCertificate: true,
    },
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
    producao: {
      base: "https://qrpix.bradesco.com.br/v2",
      token: "https://qrpix.bradesco.com.br/oauth/token",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://qrpix-h.bradesco.com.br/v2",
      token: "https://qrpix-h.bradesco.com.br/oauth/token",
      needsCertificate: true,
    },
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
  label: "Simulador (testes)",
  payouts: { send: "/gn/pix", find: "/gn/pix/enviados/id-envio", list: "/gn/pix/enviados" },
  balance: "/gn/saldo",
  disputes: "/gn/infracoes",
}
