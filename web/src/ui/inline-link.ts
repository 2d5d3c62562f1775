/** Style of a link that is a fact by itself: its pseudo-element is as tall as a thumb needs, its lines stay as high as text. */
export const inlineLink =
  "relative inline-block min-w-11 underline decoration-line-2 underline-offset-4 hover:decoration-current after:absolute after:inset-x-0 after:-inset-y-3"
