import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

export const sicredi: ApiPixProfile = {
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
