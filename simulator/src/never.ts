/** The latest date that a Date can hold: an outcome due then stays under way until it is released by hand. */
export const never = 8_640_000_000_000_000
