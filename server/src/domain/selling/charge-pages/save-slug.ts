import type { Tx } from "#db/transaction"
import { takeSlug } from "./charge-pages-repository.ts"
import { findFreeSlug } from "./free-slug.ts"

/** Takes the wished slug or the next free one. Another page may take it in between, so the taking decides. */
export async function takeFreeSlug(tx: Tx, wished: string, pageId: string): Promise<string> {
  for (;;) {
    const slug = await findFreeSlug(tx, wished, pageId)
    if (await takeSlug(tx, slug, pageId)) return slug
  }
}
