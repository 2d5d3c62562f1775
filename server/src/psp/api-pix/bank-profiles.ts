import { bb } from "#psp/api-pix/profiles/bb"
import { bradesco } from "#psp/api-pix/profiles/bradesco"
import { efi } from "#psp/api-pix/profiles/efi"
import { inter } from "#psp/api-pix/profiles/inter"
import { itau } from "#psp/api-pix/profiles/itau"
import { santander } from "#psp/api-pix/profiles/santander"
import { sicoob } from "#psp/api-pix/profiles/sicoob"
import { sicredi } from "#psp/api-pix/profiles/sicredi"
import type { ApiPixProfile } from "./profile.ts"

/** Banks with API Pix, by their name in PIX_PROVIDER. */
export const bankProfiles: Readonly<Record<string, ApiPixProfile>> = {
  efi,
  inter,
  sicoob,
  sicredi,
  itau,
  bb,
  santander,
  bradesco,
}
