export const notMePath = "/not-me/:token"

export function notMeUrlOf(publicUrl: string, token: string): string {
  return publicUrl + notMePath.replace(":token", token)
}
