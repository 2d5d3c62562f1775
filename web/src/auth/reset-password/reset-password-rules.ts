import { zodResolver } from "@hookform/resolvers/zod"
import { resetPasswordBody } from "@tilinta/contract/api/auth-endpoints"

export const resetPasswordResolver = zodResolver(resetPasswordBody)
