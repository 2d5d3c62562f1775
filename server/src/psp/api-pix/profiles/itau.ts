import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** The product "Recebimentos Pix" of 2026; each call carries the application's key and a unique id. */
export const itau: ApiPixProfile = {
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
