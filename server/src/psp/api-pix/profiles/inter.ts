import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** Its payouts can be queried only by the bank's own id, so a lost answer could not be resolved: paid by hand. */
export const inter: ApiPixProfile = {
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
