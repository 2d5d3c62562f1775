/** One file for what follows the first screen of every seller: each more would be another request. */
export { LegalNotice } from "./legal-notice.tsx"
export { LiveUpdates } from "./live-updates.tsx"
