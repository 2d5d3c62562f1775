import type { AsyncCommand } from "fast-check"
import { expectAgreement } from "./agreement.ts"
import type { SellerBooks } from "./seller-books.ts"
import type { World } from "./world.ts"

export type Step = AsyncCommand<SellerBooks, World>

/** An action of a user, after which everything that the seller reads must follow the rules again. */
export function step(text: string, act: (books: SellerBooks, world: World) => Promise<void>): Step {
  return {
    check: () => true,
    async run(books, world) {
      await act(books, world)
      await expectAgreement(world, books)
      world.counts.steps += 1
    },
    toString: () => text,
  }
}

/** Picks any, newer and older ones alike. */
export function pickFrom<T>(all: T[], pick: number): T | undefined {
  return all[pick % all.length]
}
