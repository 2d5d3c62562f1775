import type { LegalKind } from "@tilinta/contract/vocabulary/legal-texts"

const kindsOfSettings: Readonly<Record<string, LegalKind>> = { TERMS_TEXT: "terms", PRIVACY_TEXT: "privacy" }

/** Null for a setting that is no legal text. */
export function legalKindOf(settingKey: string): LegalKind | null {
  return kindsOfSettings[settingKey] ?? null
}
