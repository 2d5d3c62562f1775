import { zodResolver } from "@hookform/resolvers/zod"
import { forgotPasswordBody, resetPasswordBody, signupStep1, signupStep2 } from "@tilinta/contract/auth"

export const forgotPasswordResolver = zodResolver(forgotPasswordBody)

export const accountResolver = zodResolver(signupStep1)
export const personResolver = zodResolver(signupStep2)

export const resetPasswordResolver = zodResolver(resetPasswordBody)
