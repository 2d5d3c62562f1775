/** The slug rule of the specification: lower case, no accents, only letters, digits and single hyphens. */
export function slugFromTitle(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9\s-]/g, "")
    .replace(/\s+/g, "-")
    .replace(/-+/g, "-")
}

/** Paths and files of the site, which a slug must not take. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  "admin",
  "api",
  "assets",
  "checkout",
  "checkouts",
  "create",
  "dashboard",
  "developers",
  "error",
  "favicon",
  "forgot-password",
  "healthz",
  "login",
  "metrics",
  "payment",
  "profile",
  "readyz",
  "register",
  "reset-password",
  "robots",
  "simulador",
  "statement",
  "success",
  "transactions",
  "webhooks",
  "withdrawals",
])
