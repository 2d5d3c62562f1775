import { newSecretKeyText, parseSecretKeys, type SecretKeys } from "#kit/secrets"

const keys = parseSecretKeys(newSecretKeyText())
if (keys === null) throw new Error("a new key can be read")

export const secretKeys: SecretKeys = () => keys
