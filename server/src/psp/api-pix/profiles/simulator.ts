import { type ApiPixProfile, standard } from "#psp/api-pix/profile"

/**
 * The sandbox's bank: the standard to the letter, plus Efí's payouts and disputes. Its address is passed at the start.
 */
export const simulatorProfile: Omit<ApiPixProfile, "environments"> = {
  ...standard,
  name: "simulator",
  label: "Simulador (testes)",
  payouts: { send: "/gn/pix", find: "/gn/pix/enviados/id-envio", list: "/gn/pix/enviados" },
  balance: "/gn/saldo",
  disputes: "/gn/infracoes",
}
