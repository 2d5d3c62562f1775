/** Every negative number on a screen has the minus sign, not the hyphen that `Intl` writes. */
export function withMinus(text: string): string {
  return text.replace("-", "−")
}
