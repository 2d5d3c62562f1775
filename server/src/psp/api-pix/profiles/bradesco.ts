import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** Newer contracts request tokens at /auth/server/oauth/token: set PIX_TOKEN_URL. */
export const bradesco: ApiPixProfile = {
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
