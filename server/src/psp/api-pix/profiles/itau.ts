import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** Each call carries a unique id; the sandbox wants the token a second time. */
export const itau: ApiPixProfile = {
  ...standard,
  name: "itau",
  label: "Itaú",
  environments: {
    producao: {
      base: "https://secure.api.itau/pix_recebimentos/v2",
      token: "https://sts.itau.com.br/as/token.oauth2",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://devportal.itau.com.br/sandboxapi/pix_recebimentos_ext_v2/v2",
      token: "https://devportal.itau.com.br/api/jwt",
      needsCertificate: false,
      headers: { "x-sandbox-token": "access-token" },
    },
  },
  token: { ...standard.token, credentials: "body" },
  headers: { "x-correlationID": "uuid" },
}
