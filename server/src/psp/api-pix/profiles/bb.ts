import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** Every call carries the application key, and charges can't be listed by time. */
export const bb: ApiPixProfile = {
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
