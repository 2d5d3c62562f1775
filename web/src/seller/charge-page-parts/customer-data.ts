export interface CustomerDataForm {
  requireCustomerData: boolean
  requireName: boolean
  requireEmail: boolean
  requirePhone: boolean
  requireCpf: boolean
}

export const noCustomerFields = { requireName: false, requireEmail: false, requirePhone: false, requireCpf: false }
export const allCustomerFields = { requireName: true, requireEmail: true, requirePhone: true, requireCpf: true }

/** Off clears all four and makes the payment anonymous; on sets all four. */
export function customerDataBody(form: CustomerDataForm) {
  const { requireCustomerData, requireName, requireEmail, requirePhone, requireCpf } = form
  return {
    requireCustomerData,
    customerInfo: requireCustomerData ? { requireName, requireEmail, requirePhone, requireCpf } : noCustomerFields,
    allowAnonymous: !requireCustomerData,
  }
}

/** Missing flags count as true, except `allowAnonymous`, which counts as false. */
export function customerDataOf(page: {
  requireCustomerData?: boolean
  customerInfo?: Partial<typeof allCustomerFields>
  pixConfig?: { allowAnonymous?: boolean }
}): CustomerDataForm {
  const asks = !(page.pixConfig?.allowAnonymous ?? false) && (page.requireCustomerData ?? true)
  if (!asks) return { requireCustomerData: false, ...noCustomerFields }
  return {
    requireCustomerData: true,
    requireName: page.customerInfo?.requireName ?? true,
    requireEmail: page.customerInfo?.requireEmail ?? true,
    requirePhone: page.customerInfo?.requirePhone ?? true,
    requireCpf: page.customerInfo?.requireCpf ?? true,
  }
}
