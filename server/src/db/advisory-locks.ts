/** Keys of session-level advisory locks; the first number keeps them apart from other programs' keys. */
const tilinta = 1_953_066_089

export const migrationLock = [tilinta, 1] as const
export const dataDirLock = [tilinta, 2] as const
export const ledgerCheckLock = [tilinta, 3] as const
export const backupLock = [tilinta, 6] as const
// [tilinta, 4] is used by the function fold_charge_changes, [tilinta, 5] by apply_payments and count_page_at_once.
