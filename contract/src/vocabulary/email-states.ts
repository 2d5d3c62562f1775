/** Whether a user proved to read the mail of their address; relaxed protection asks nobody. */
export const emailStates = ["unasked", "unconfirmed", "confirmed"] as const
export type EmailState = (typeof emailStates)[number]
