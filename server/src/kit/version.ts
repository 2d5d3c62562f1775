import product from "../../../package.json" with { type: "json" }

/** The version of the whole product: the repository's own package.json names it. */
export const version: string = product.version
