/** Style of a link within text. */
export const inlineLink = "underline decoration-line-2 underline-offset-4 hover:decoration-current"
