/** The last moment that a Date can name: what settles then is under way until somebody decides. */
export const never = 8_640_000_000_000_000
