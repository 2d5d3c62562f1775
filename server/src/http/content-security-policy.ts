import { createHash } from "node:crypto"

const nothing = "'none'"

/** For the app's pages: our own files, and only the inline content that the HTML has at start. */
export function appPolicy(html: string): string {
  return policy({
    "default-src": ["'self'"],
    "script-src": ["'self'", ...inlineHashes(html, "script")],
    "style-src": ["'self'", ...inlineHashes(html, "style")],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "object-src": [nothing],
    "base-uri": [nothing],
    "form-action": ["'self'"],
    "frame-ancestors": [nothing],
  })
}

/** For a page with inline script and style, allowed by this reply's nonce. */
export function noncePolicy(nonce: string): string {
  return policy({
    "default-src": [nothing],
    "script-src": [`'nonce-${nonce}'`],
    "style-src": [`'nonce-${nonce}'`],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'"],
    "object-src": [nothing],
    "base-uri": [nothing],
    "form-action": ["'self'"],
    "frame-ancestors": [nothing],
  })
}

function policy(directives: Record<string, string[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ")
}

function inlineHashes(html: string, element: "script" | "style"): string[] {
  const pattern = new RegExp(`<${element}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${element}>`, "gi")
  return [...html.matchAll(pattern)].map(([, content = ""]) => {
    return `'sha256-${createHash("sha256").update(content).digest("base64")}'`
  })
}
