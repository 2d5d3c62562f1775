import type { PixEnvironment, PixSetting } from "#psp/pix-settings"

/** How one bank speaks API Pix: data alone, so that the next bank is a new file. */
export interface ApiPixProfile {
  /** Chooses the bank in PIX_PROVIDER, and names it in accounts and rows. */
  name: string
  /** For people. */
  label: string
  environments: Readonly<Record<PixEnvironment, BankEnvironment>>
  token: TokenShape
  /** Needed for all that we do; some banks want them named when a token is asked for. */
  scopes: readonly string[]
  /** What it can't do without, beside its addresses and the certificate. */
  needs: readonly PixSetting[]
  /** Sent with every call. */
  headers: Readonly<Record<string, FilledIn>>
  query: Readonly<Record<string, FilledIn>>
  /** Where a charge is changed; elsewhere than where it is made only at one bank. */
  revisionPath: string
  /** Null where the API sends no money out, or not in a way that can be repeated without harm. */
  payouts: PayoutPaths | null
  /** Efí's, from the API's address: the standard has no disputes. Null where the API tells of none. */
  disputes: string | null
  /** Tells, when a webhook is registered, that nobody before us verifies the bank's certificate. */
  skipsMtlsHeader: string | null
  /** Whether charges can be listed by time. */
  listsCharges: boolean
  /** Whether a list's window may be told to the millisecond. */
  readsMilliseconds: boolean
}

export interface BankEnvironment {
  /** The API itself, without a slash at the end. */
  base: string
  token: string
  needsCertificate: boolean
  /** The portal gives a token, which stands in PIX_CLIENT_SECRET, and none is asked for. */
  givesToken?: true
  headers?: Readonly<Record<string, FilledIn>>
}

/** Filled in for each call. */
export type FilledIn = "client-id" | "app-key" | "uuid" | "access-token"

export interface TokenShape {
  /** Client and secret in the Authorization header, or in the body. */
  credentials: "basic" | "body"
  body: "form" | "json"
  grantType: "body" | "query"
  namesScopes: boolean
}

/** Efí's, from the API's address: the standard has no way out. */
export interface PayoutPaths {
  send: string
  find: string
  list: string
}

const standardToken: TokenShape = { credentials: "basic", body: "form", grantType: "body", namesScopes: false }

/** What a bank does that follows the Central Bank's document; each profile says where it differs. */
export const standard = {
  token: standardToken,
  scopes: ["cob.read", "cob.write", "pix.read", "pix.write", "webhook.read", "webhook.write"],
  needs: ["clientId", "clientSecret", "key", "receiverName"],
  headers: {},
  query: {},
  revisionPath: "/cob",
  payouts: null,
  disputes: null,
  skipsMtlsHeader: null,
  listsCharges: true,
  readsMilliseconds: true,
} as const satisfies Partial<ApiPixProfile>
