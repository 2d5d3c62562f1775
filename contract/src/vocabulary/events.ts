/** Events of the payer's stream: the same words as `data.status` of payment-status. */
export const paymentStatusEvent = "status"
