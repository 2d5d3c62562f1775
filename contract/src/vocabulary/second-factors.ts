/** Proofs besides the password, the best first. A recovery code stands in for a lost one. */
export const secondFactors = ["passkey", "totp", "recovery_code"] as const
export type SecondFactor = (typeof secondFactors)[number]

/** In the middle of a sentence. */
export const secondFactorLabels: Record<SecondFactor, string> = {
  passkey: "chave de acesso (passkey)",
  totp: "aplicativo autenticador",
  recovery_code: "código de recuperação",
}
