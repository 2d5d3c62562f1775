/** The origin of the log: an address without its scheme, as C2SP's checkpoints name it. */
export function logNameOf(publicUrl: string): string {
  return `${new URL(publicUrl).host}/tilinta`
}
