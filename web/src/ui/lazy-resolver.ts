import type { FieldValues, Resolver } from "react-hook-form"

/** Preloads; a failure is ignored, because the submit loads again and reports it. */
export function warmUp(load: () => Promise<unknown>): void {
  load().catch(() => undefined)
}

/** A form resolver that is fetched when first needed, not with the page. */
export function lazyResolver<Input extends FieldValues, Output>(
  load: () => Promise<Resolver<Input, unknown, Output>>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    let resolve: Resolver<Input, unknown, Output>
    try {
      resolve = await load()
    } catch {
      return { values: {}, errors: { root: { type: "load", message: "Sem conexão com a internet." } } } as never
    }
    return resolve(values, context, options)
  }
}
