/** Each payer of a market has an address of their own in the proxy's header. */
export function payer(n: number): { path: string; headers: Record<string, string> } {
  const id = `${n.toString(16).padStart(8, "0")}-0000-7000-8000-000000000000`
  return { path: `/api/v1/checkout/payment-status/${id}`, headers: from(n) }
}

/** The n-th address, in the proxy's header. */
export function from(n: number): { "x-forwarded-for": string } {
  return { "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }
}
