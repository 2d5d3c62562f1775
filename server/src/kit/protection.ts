/** How strictly accounts and money are guarded; `relaxed` keeps the sandbox easy to try. */
export type Protection = "strict" | "relaxed"
