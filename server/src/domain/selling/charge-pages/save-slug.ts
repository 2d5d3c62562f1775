import type { Tx } from "#db/transaction"
import { takeSlug } from "./charge-pages-repository.ts"
import { findFreeSlug } from "./free-slug.ts"

/** Claims the wished slug or the next free one. Another page may claim it in between, so the insert decides. */
export async function takeFreeSlug(tx: Tx, wished: string, pageId: string): Promise<string> {
  for (;;) {
    const slug = await findFreeSlug(tx, wished, pageId)
    if (await takeSlug(tx, slug, pageId)) return slug
  }
}
