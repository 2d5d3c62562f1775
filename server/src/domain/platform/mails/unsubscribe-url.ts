export const unsubscribePath = "/emails/:token"

export function unsubscribeUrlOf(publicUrl: string, mailToken: string): string {
  return publicUrl + unsubscribePath.replace(":token", mailToken)
}
