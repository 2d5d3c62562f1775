import type { PixEnvironment, PixSetting } from "#psp/pix-settings"

/** One bank's dialect of API Pix as plain data, so that another bank is just a new file. */
export interface ApiPixProfile {
  /** Selects the bank in PIX_PROVIDER, and identifies it in accounts and rows. */
  name: string
  /** The name shown to people. */
  label: string
  environments: Readonly<Record<PixEnvironment, BankEnvironment>>
  token: TokenShape
  /** Another version of single resources, relative to the base, such as `{ cob: "/../v3" }`. */
  versions: Readonly<Record<string, string>>
  /** Scopes that each part needs; some banks want them listed in the token request, and one refuses it for one too many. */
  scopes: Readonly<Record<"charges" | "dueCharges" | "automatic" | "payouts" | "disputes", readonly string[]>>
  /** Settings that the bank requires in addition to its addresses and the certificate. */
  needs: readonly PixSetting[]
  /** Sent with every call. */
  headers: Readonly<Record<string, FilledIn>>
  query: Readonly<Record<string, FilledIn>>
  /** The path for changing a charge; only one bank's differs from that for creating it. */
  revisionPath: string
  /** Whether its API keeps charges with a due day (`/cobv`), for those who have that product. */
  dueCharges: boolean
  /** Whether its API keeps recurrences and their debits (`/rec`, `/cobr`), for those who have that product. */
  automatic: boolean
  /** Null where the API has no payouts, or none that could be repeated without harm. */
  payouts: PayoutPaths | null
  /** Efí's path, relative to the API's address: the standard has no balance. Null where the API tells none. */
  balance: string | null
  /** Efí's path, relative to the API's address: the standard has no disputes. Null where the API reports none. */
  disputes: string | null
  /** Header of a webhook registration that tells the bank whether we skip verifying its certificate. */
  skipsMtlsHeader: string | null
  /** True when charges can be listed by time. */
  listsCharges: boolean
  /** True when a list's window may contain milliseconds. */
  readsMilliseconds: boolean
}

export interface BankEnvironment {
  /** The API's base address, without a trailing slash. */
  base: string
  token: string
  needsCertificate: boolean
  /** The portal issues a token, configured as PIX_CLIENT_SECRET, and none is requested. */
  givesToken?: true
}

/** Placeholders filled in for each call; one that is not configured is left out. */
export type FilledIn = "client-id" | "app-key" | "account" | "uuid"

export interface TokenShape {
  /** Credentials in the Authorization header, or in the body. */
  credentials: "basic" | "body"
  body: "form" | "json"
  grantType: "body" | "query"
  namesScopes: boolean
}

/** Efí's paths, relative to the API's address: the standard has no payouts. */
export interface PayoutPaths {
  send: string
  /** Whether it takes the receiver's CPF or CNPJ, and refuses another's key. */
  checksHolder?: true
  find: string
  list: string
}

const standardToken: TokenShape = { credentials: "basic", body: "form", grantType: "body", namesScopes: false }

/** The behaviour of the Central Bank's document; each profile lists its differences. */
export const standard = {
  token: standardToken,
  versions: {},
  scopes: {
    charges: ["cob.read", "cob.write", "pix.read", "pix.write", "webhook.read", "webhook.write"],
    dueCharges: ["cobv.read", "cobv.write"],
    automatic: [
      ...["rec.read", "rec.write", "cobr.read", "cobr.write", "payloadlocationrec.write"],
      ...["webhookrec.read", "webhookrec.write", "webhookcobr.read", "webhookcobr.write"],
    ],
    payouts: [],
    disputes: [],
  },
  needs: ["clientId", "clientSecret", "key", "receiverName"],
  headers: {},
  query: {},
  revisionPath: "/cob",
  dueCharges: false,
  automatic: false,
  payouts: null,
  balance: null,
  disputes: null,
  skipsMtlsHeader: null,
  listsCharges: true,
  readsMilliseconds: true,
} as const satisfies Partial<ApiPixProfile>

/** The scopes of the parts that are switched on: each of the others may be a contract of its own. */
export function scopesOf({
  scopes,
  dueCharges,
  automatic,
  payouts,
  disputes,
}: Pick<ApiPixProfile, "scopes" | "dueCharges" | "automatic" | "payouts" | "disputes">): string[] {
  return [
    ...scopes.charges,
    ...(dueCharges ? scopes.dueCharges : []),
    ...(automatic ? scopes.automatic : []),
    ...(payouts === null ? [] : scopes.payouts),
    ...(disputes === null ? [] : scopes.disputes),
  ]
}

/** Those that the bank's token lacks; none where it doesn't say what it grants. */
export function missingScopes(granted: string | null | undefined, needed: readonly string[]): string[] {
  const present = new Set(granted?.toLowerCase().split(/[\s,]+/))
  return granted ? needed.filter((scope) => !present.has(scope.toLowerCase())) : []
}
