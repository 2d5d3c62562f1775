/** Proofs besides the password. A recovery code stands in for a lost one. */
export const secondFactors = ["totp", "recovery_code"] as const
export type SecondFactor = (typeof secondFactors)[number]

/** In the middle of a sentence. */
export const secondFactorLabels: Record<SecondFactor, string> = {
  totp: "aplicativo autenticador",
  recovery_code: "código de recuperação",
}
