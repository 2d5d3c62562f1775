import type { Db } from "#db/transaction"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { brokenRule } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import { type Misleading, misleadingIn } from "./misleading-text.ts"
import { findUserById } from "./users-repository.ts"

interface Texts {
  /** Null for somebody who signs up. */
  userId: string | null
  /** Texts that strangers will read, by the name of the field. */
  texts: { readonly [field: string]: string | undefined }
}

/** Platforms keep their own name whatever they are called now. */
const PRODUCT = "Tilinta"

/**
 * Strict protection lets nobody charge under the name of a bank, an authority or the platform, or put the address of a
 * site into a name or title, unless an administrator allowed it. @throws validation_failed
 */
export async function refuseMisleading(
  { db, protection }: { db: Db; protection: Protection },
  { userId, texts }: Texts,
): Promise<void> {
  if (protection === "relaxed") return
  const ownNames = [PRODUCT, (await readPlatform(db)).name]
  for (const [field, text] of Object.entries(texts)) {
    const misleading = text === undefined ? null : misleadingIn(text, ownNames)
    if (misleading === null) continue
    const user = userId === null ? undefined : await findUserById(db, userId)
    if (user?.anyName) return
    throw brokenRule(field, messageOf(misleading))
  }
}

function messageOf(misleading: Misleading): string {
  if (misleading.kind === "address") {
    return "Tire o endereço de site ou de e-mail deste texto: aqui ele não é aceito."
  }
  return `“${misleading.name}” é nome de banco, de órgão público ou desta plataforma, e não é aceito aqui. Se você pode usá-lo, fale com o suporte.`
}
