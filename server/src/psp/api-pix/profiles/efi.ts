import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** Closest to the standard, and the only one here that also sends payouts under our own id. */
export const efi: ApiPixProfile = {
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
