export const legalKinds = ["terms", "privacy"] as const
export type LegalKind = (typeof legalKinds)[number]

export const legalTitles = {
  terms: "Termos de Serviço",
  privacy: "Política de Privacidade",
} as const satisfies Record<LegalKind, string>

/** Plain pages, on the panel's and the payers' host. */
export const legalPaths = {
  terms: "/termos",
  privacy: "/privacidade",
} as const satisfies Record<LegalKind, string>
