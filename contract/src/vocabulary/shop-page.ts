interface Contact {
  whatsapp?: string | undefined
  email?: string | undefined
}

/**
 * The way to ask a shop: WhatsApp with a text that is ready to send, or else mail; null where it named neither. The
 * title is null on a page that is no longer shown.
 */
export function shopContact({ whatsapp, email }: Contact, title: string | null): string | null {
  const subject = title === null ? "uma cobrança" : `a cobrança ${title}`
  if (whatsapp) return `https://wa.me/55${whatsapp}?text=${encodeURIComponent(`Olá! É sobre ${subject}.`)}`
  return email ? `mailto:${email}?subject=${encodeURIComponent(`Sobre ${subject}`)}` : null
}

/** The logo's path, which is the same on each of our hosts. */
export function logoPath(logoUrl: string): string {
  return new URL(logoUrl).pathname
}
