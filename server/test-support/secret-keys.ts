import { newSecretKeyText, parseSecretKeys, type SecretKeys } from "#kit/secrets"

/** For SECRETS_KEY of servers whose rows this process writes, too. */
export const secretKeyText = newSecretKeyText()

const keys = parseSecretKeys(secretKeyText)
if (keys === null) throw new Error("a new key can be read")

export const secretKeys: SecretKeys = () => keys
