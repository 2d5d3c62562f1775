import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/** The certificate alone authenticates. The sandbox has no token endpoint: its portal shows one. */
export const sicoob: ApiPixProfile = {
  ...standard,
  name: "sicoob",
  label: "Sicoob",
  environments: {
    producao: {
      base: "https://api.sicoob.com.br/pix/api/v2",
      token: "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
      needsCertificate: true,
    },
    homologacao: {
      base: "https://sandbox.sicoob.com.br/sicoob/sandbox/pix/api/v2",
      token: "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
      needsCertificate: false,
      givesToken: true,
    },
  },
  token: { ...standard.token, credentials: "body", namesScopes: true },
  needs: ["clientId", "key", "receiverName"],
  headers: { client_id: "client-id" },
}
