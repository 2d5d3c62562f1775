import type { Chance } from "../chance.ts"

const texts = [
  ...["", " ", "0", "-1", "null", "undefined", "true", "NaN", "[object Object]", "__proto__", "constructor"],
  ...["\u0000", "a\u0000b", "\u001b[31m", "\u202eabc", "\u200b", "\ufeff", "\u00ad", "\ufffe", "e\u0301".repeat(99)],
  ...[
    "\ud800",
    "\udc00x",
    "👩‍👩‍👧‍👦".repeat(50),
    "İ",
    "ß",
    "ﬁ",
    "𝒜",
    "a".repeat(300),
    "%",
    "%00",
    "%E0%A4",
    "\\",
    '"',
    "'",
  ],
  ...["' or 1=1 --", "'; select pg_sleep(9) --", "$1", "${7*7}", "{{7*7}}", "<script>alert(1)</script>", "=1+1", "@x"],
  ...["../../etc/passwd", "..%2f..", "file:///etc/passwd", "http://127.0.0.1:1/", "javascript:alert(1)", "a\r\nX-A: b"],
  ...[
    "2026-02-30",
    "0000-00-00",
    "9999-12-31",
    "+275760-09-13",
    "2026-11-22T99:99:99Z",
    "1e400",
    "0x10",
    "１２３",
    "1,5",
  ],
  ...["a@b", "ana@loja.example", "ANA@LOJA.EXAMPLE", "@", "a@b.c\n", "00000000000", "52998224725", "+5511987654321"],
  ...[
    "00000000-0000-0000-0000-000000000000",
    "01a2052b-5fa7-76fb-ad0d-fe385a2a7751",
    "desc",
    "asc",
    "aprovado",
    "paid",
  ],
]

/** JSON texts rather than values, because JSON can say more than JavaScript's own numbers and texts. */
const numbers = [
  ...[
    "0",
    "-0",
    "-1",
    "0.1",
    "0.001",
    "10.005",
    "1e-7",
    "1e21",
    "1e308",
    "1e309",
    "-1e309",
    "2147483648",
    "4294967296",
  ],
  ...["9007199254740993", "9223372036854775808", "-9223372036854775809", "99999999999999999999999999", "9999999.99"],
]

const others = [
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[null]",
  '[""]',
  '{"$gt":0}',
  '{"toString":1}',
  '{"__proto__":{"x":1}}',
]

export function hostileText(chance: Chance): string {
  if (chance.is(0.02)) return "a".repeat(chance.between(1_000, 60_000))
  return chance.pick(texts) ?? ""
}

/** A JSON text. */
export function hostileJson(chance: Chance): string {
  const kind = chance.draw()
  if (kind < 0.5) return JSON.stringify(hostileText(chance))
  if (kind < 0.52) return '"\\ud800\\u0000"'
  if (kind < 0.75) return chance.pick(numbers) ?? "0"
  if (kind < 0.97) return chance.pick(others) ?? "null"
  const depth = chance.between(10, 3_000)
  return chance.is(0.5) ? "[".repeat(depth) + "]".repeat(depth) : `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
}

/** Without `expect`, which Node refuses by itself (417). */
const headerNames = [
  ...["accept", "accept-encoding", "accept-language", "authorization", "content-type", "content-encoding", "cookie"],
  ...["forwarded", "host", "idempotency-key", "if-match", "if-modified-since", "if-none-match", "last-event-id"],
  ...["origin", "range", "referer", "sec-fetch-site", "te", "upgrade-insecure-requests", "user-agent", "via"],
  ...["x-forwarded-host", "x-forwarded-proto", "x-http-method-override", "x-real-ip", "x-request-id", "x-ssl-cert"],
]
const headerValues = [
  ...["", " ", "x", "*/*", "text/html", "application/xml", "application/json; charset=utf-16", "multipart/form-data"],
  ...["gzip", "br", "identity;q=0, *;q=0", "Bearer", "Bearer ", "Basic YTpi", "Bearer a b", "bytes=0-", "bytes=-1,5-2"],
  ...["null", "evil.example", "evil.example:99999", "http://evil.example", "for=unknown;by=_x", 'for="[::1', "1,2,3"],
  ...[
    'W/""',
    '"x"',
    "*",
    "Thu, 99 Nov 2026 99:99:99 GMT",
    "-1",
    "9".repeat(400),
    "a".repeat(5_000),
    "é",
    "a=b; a=c; =;",
  ],
  ...["tilinta_device=", "cross-site", "same-origin", "https", "ftp", "DELETE", "trailers"],
]

/** Headers as one sends them; control characters in them no client library lets through. */
export function hostileHeaders(chance: Chance): Record<string, string> {
  const count = chance.between(1, 3)
  return Object.fromEntries(
    Array.from({ length: count }, () => [chance.pick(headerNames) ?? "accept", chance.pick(headerValues) ?? ""]),
  )
}

/** A piece of a path or a query, perhaps not what percent-encoding allows. */
export function hostilePiece(chance: Chance): string {
  const raw = [
    "%E0%A4",
    "%",
    "%zz",
    "%00",
    "%2e%2e%2f",
    "%C3%28",
    "%F0%9F%98",
    ";",
    "..",
    "a%2Fb",
    "[]",
    "%ED%A0%80",
    "*",
  ]
  if (chance.is(0.3)) return chance.pick(raw) ?? "%"
  if (chance.is(0.03)) return "a".repeat(chance.between(200, 12_000))
  return encodeURIComponent(hostileText(chance).toWellFormed())
}
