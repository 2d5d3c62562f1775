import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** Newer contracts get their token at /auth/server/oauth/token: PIX_TOKEN_URL says so. */
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
