import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** The grant type is in the token's address, and milliseconds in a window are refused. */
export const santander: ApiPixProfile = {
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
