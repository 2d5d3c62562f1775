import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** Its way out is asked about by an id of the bank's own alone, so a lost answer could not be: paid by hand. */
export const inter: ApiPixProfile = {
  ...standard,
  name: "inter",
  label: "Banco Inter",
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
}
