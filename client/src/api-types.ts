// Written by `npm run client:types`.
export interface components {
    schemas: {
        BankAccount: {
            bank: string;
            agency: string;
            account: string;
            accountType: string;
            pixKey: string;
        };
        BankData: {
            bank: string;
            agency: string;
            account: string;
            /** @enum {string} */
            accountType: "corrente" | "poupanca";
        };
        Charge: {
            _id: string;
            externalReference: string | null;
            metadata: {
                [key: string]: string;
            };
            returnUrl: string | null;
            amount: number;
            description: string;
            /** @enum {string} */
            status: "pendente" | "pago" | "expirado" | "cancelado" | "recusado" | "estornado";
            pixCode: string;
            payerToken: string;
            imageUrl: string;
            statusUrl: string;
            checkoutUrl: string;
            expiresAt: string;
            createdAt: string;
            checkoutPage: components["schemas"]["PageReference"];
        };
        ChargeEvent: {
            id: string;
            sequence: number;
            createdAt: string;
            /** @enum {string} */
            type: "charge.created" | "charge.paid" | "charge.expired" | "charge.cancelled" | "charge.refunded" | "charge.disputed";
            data: {
                transaction: components["schemas"]["Transaction"];
            };
        };
        ChargePage: {
            _id: string;
            title: string;
            description: string;
            slug: string;
            uniqueLink: string;
            amount: number;
            /** @enum {string} */
            status: "active" | "completed" | "expired" | "cancelled";
            requireCustomerData: boolean;
            customerInfo: components["schemas"]["CustomerFields"];
            pixConfig: components["schemas"]["PixConfig"];
            expiresAt: string | null;
            maxPayments: number | null;
            /** @enum {string} */
            kind: "page" | "single";
            externalReference: string | null;
            metadata: {
                [key: string]: string;
            };
            returnUrl: string | null;
            paymentsCount: number;
            suspendedAt: string | null;
            suspendedFor: ("scam" | "impersonation" | "not_delivered" | "illegal" | "other") | null;
            createdAt: string;
            updatedAt: string;
        };
        CustomerFields: {
            requireName: boolean;
            requireEmail: boolean;
            requirePhone: boolean;
            requireCpf: boolean;
        };
        Defence: {
            text: string;
            /** @enum {string} */
            status: "none" | "waiting" | "sent" | "kept" | "refused";
            writtenAt: string;
        };
        Dispute: {
            _id: string;
            amount: number;
            blocked: number;
            debited: number;
            /** @enum {string} */
            status: "open" | "defended" | "accepted" | "rejected" | "cancelled";
            settled: boolean;
            /** @enum {string} */
            reason: "fraud" | "account_takeover" | "coercion" | "unauthorised_access" | "operational" | "other";
            details: string;
            analysis: string;
            openedAt: string;
            respondUntil: string | null;
            closedAt: string | null;
            defence: components["schemas"]["Defence"] | null;
            canDefend: boolean;
            transaction: components["schemas"]["TransactionReference"] | null;
            checkoutPage: components["schemas"]["PageReference"] | null;
        };
        Error: {
            /** @enum {string} */
            status: "fail" | "error";
            message: string;
            /** @enum {string} */
            code: "malformed_request" | "validation_failed" | "unauthenticated" | "api_key_frozen" | "api_key_invalid" | "api_key_not_accepted" | "api_key_scope_missing" | "api_key_not_found" | "too_many_api_keys" | "webhook_not_found" | "webhook_delivery_not_found" | "too_many_webhooks" | "wrong_credentials" | "second_factor_required" | "second_factor_invalid" | "second_factor_enrolment_required" | "new_password_required" | "second_factor_missing" | "totp_already_enrolled" | "totp_not_begun" | "passkey_not_found" | "passkey_already_enrolled" | "too_many_passkeys" | "passkeys_unavailable" | "step_up_required" | "own_payout_above_fees" | "manual_entry_booked" | "manual_entry_refused" | "event_corrected" | "manual_entry_orphaned" | "own_correction" | "second_approver_needed" | "admin_rights_pending" | "account_frozen" | "approval_not_found" | "email_link_invalid" | "reset_token_invalid" | "account_disabled" | "webhook_not_genuine" | "legal_text_changed" | "account_not_deletable" | "account_erased" | "forbidden" | "not_found" | "route_not_found" | "method_not_allowed" | "not_acceptable" | "session_not_found" | "user_not_found" | "own_account" | "last_admin" | "admin_not_inactivated" | "charge_page_not_found" | "charge_page_forbidden" | "public_charge_page_not_found" | "charge_page_not_open" | "charge_page_suspended" | "page_report_not_found" | "page_report_decided" | "page_not_suspended" | "own_charge_page" | "charge_page_already_paid" | "charge_page_changed" | "charge_page_not_editable" | "external_reference_taken" | "charge_page_not_active" | "transaction_not_found" | "payment_not_found" | "receipt_not_ready" | "transaction_forbidden" | "transaction_not_refundable" | "refund_too_late" | "refund_at_former_bank" | "refund_not_covered" | "payment_disputed" | "dispute_not_found" | "dispute_closed" | "dispute_defended" | "dispute_overdue" | "dispute_told_by_bank" | "own_dispute" | "unmatched_payment_not_found" | "unmatched_payment_resolved" | "own_unmatched_payment" | "daily_close_not_found" | "daily_close_too_early" | "setting_not_found" | "setting_exists" | "insufficient_balance" | "withdrawals_disabled" | "withdrawal_held" | "pix_key_not_yours" | "withdrawals_frozen" | "account_not_frozen" | "withdrawal_destination_unproven" | "withdrawal_not_found" | "withdrawal_forbidden" | "withdrawal_not_pending" | "withdrawal_not_completable" | "withdrawal_not_returnable" | "not_settleable_by_hand" | "unreadable_entry_not_found" | "refund_not_found" | "own_refund" | "own_withdrawal" | "withdrawal_seller_inactive" | "inbox_message_not_found" | "mail_not_found" | "mail_not_repeatable" | "backup_running" | "backups_off" | "ledger_check_running" | "email_not_confirmed" | "email_already_confirmed" | "email_taken" | "idempotency_key_reused" | "psp_unavailable" | "too_many_requests" | "too_many_exports" | "payload_too_large" | "unsupported_media_type" | "request_timeout" | "overloaded" | "service_unavailable" | "internal_error";
            data?: {
                methods: ("password" | "passkey" | "totp" | "recovery_code")[];
            };
            errors?: {
                path: string;
                message: string;
            }[];
        };
        Event: components["schemas"]["ChargeEvent"] | components["schemas"]["WithdrawalEvent"] | components["schemas"]["PageEvent"] | components["schemas"]["PaymentEvent"];
        IncomeMonth: {
            month: string;
            count: number;
            gross: number;
            fee: number;
            net: number;
        };
        IncomeReport: {
            year: number;
            months: components["schemas"]["IncomeMonth"][];
            total: {
                count: number;
                gross: number;
                fee: number;
                net: number;
            };
        };
        PageEvent: {
            id: string;
            sequence: number;
            createdAt: string;
            /** @enum {string} */
            type: "page.created" | "page.updated" | "page.completed" | "page.expired" | "page.deleted";
            data: {
                checkoutPage: components["schemas"]["ChargePage"];
            };
        };
        PageReference: {
            _id: string | null;
            title: string;
        };
        PaymentEvent: {
            id: string;
            sequence: number;
            createdAt: string;
            /** @enum {string} */
            type: "payment.unmatched";
            data: {
                payment: components["schemas"]["UncreditedPayment"];
            };
        };
        PaymentProof: {
            transactionId: string;
            amount: number;
            date: string;
            title: string;
            receiver: string;
            chargePath: string | null;
            returnUrl: string | null;
            /** @constant */
            paymentMethod: "pix";
            /** @enum {string} */
            status: "pendente" | "pago" | "expirado" | "cancelado";
            endToEndId: string | null;
            refundedAmount: number;
            refunds: {
                amount: number;
                date: string;
                returnId: string | null;
            }[];
        };
        PixConfig: {
            allowAnonymous: boolean;
            expiresInHours: number;
        };
        PixPayment: {
            transactionId: string;
            payerToken: string;
            pixQrCodeBase64: string;
            pixCode: string;
            amount: number;
            /** @enum {string} */
            status: "pendente" | "pago" | "expirado" | "cancelado";
            expiresAt: string;
            serverTime: string;
            receiverName: string;
        };
        PublicChargePage: {
            _id: string;
            title: string;
            description: string;
            slug: string;
            uniqueLink: string;
            amount: number;
            /** @enum {string} */
            status: "active" | "completed" | "expired" | "cancelled";
            requireCustomerData: boolean;
            customerInfo: components["schemas"]["CustomerFields"];
            pixConfig: components["schemas"]["PixConfig"];
            expiresAt: string | null;
            seller: {
                name: string;
            };
        };
        Receipt: {
            receipt: string;
            verifyUrl: string;
            amount: number;
            receiver: string;
            paidAt: string;
            endToEndId: string;
            payerCpf: string | null;
        };
        ReceiptVerdict: {
            /** @enum {string} */
            verdict: "valid" | "forged" | "refunded";
            amount: number | null;
            receiver: string | null;
            paidAt: string | null;
            endToEndId: string | null;
            payerCpf: string | null;
            refundedAmount: number;
        };
        Refund: {
            _id: string;
            amount: number;
            fee: number;
            netAmount: number;
            /** @enum {string} */
            status: "processing" | "completed" | "refused";
            /** @enum {string} */
            origin: "seller" | "admin" | "bank";
            reason: string;
            failureReason: string | null;
            endToEndId: string;
            returnId: string | null;
            createdAt: string;
            processedAt: string | null;
        };
        RefundDeadline: {
            day: string;
            hasPassed: boolean;
        };
        Statement: {
            month: string;
            opening: number;
            closing: number;
            toCome: number;
            closed: boolean;
            rows: components["schemas"]["StatementRow"][];
            next: string | null;
        };
        StatementRow: {
            at: string;
            /** @enum {string} */
            kind: "sale" | "fee" | "refund" | "refund_returned" | "dispute" | "dispute_released" | "withdrawal" | "withdrawal_returned" | "reserve" | "reserve_released" | "correction";
            description: string;
            amount: number;
            balance: number;
            reference: string;
            transactionId: string | null;
            pageTitle: string | null;
        };
        Transaction: {
            _id: string;
            createdAt: string;
            updatedAt: string;
            paidAt: string | null;
            description: string;
            amount: number;
            grossAmount: number;
            fee: number;
            netAmount: number;
            refundedAmount: number;
            /** @constant */
            paymentMethod: "pix";
            checkoutPage: components["schemas"]["PageReference"];
            customerInfo: {
                name: string;
            };
            customerDataErasedAt: string | null;
            externalReference: string | null;
            /** @enum {string} */
            status: "pendente" | "pago" | "expirado" | "cancelado" | "recusado" | "estornado";
            receiptVerifications?: number;
            metadata: components["schemas"]["TransactionMetadata"];
        };
        TransactionDetails: {
            _id: string;
            createdAt: string;
            updatedAt: string;
            paidAt: string | null;
            description: string;
            amount: number;
            grossAmount: number;
            fee: number;
            netAmount: number;
            refundedAmount: number;
            /** @constant */
            paymentMethod: "pix";
            checkoutPage: components["schemas"]["PageReference"];
            customerInfo: {
                name: string;
                email: string;
                cpf: string;
                phone: string;
            };
            customerDataErasedAt: string | null;
            externalReference: string | null;
            /** @enum {string} */
            status: "pendente" | "pago" | "expirado" | "cancelado" | "recusado" | "estornado";
            receiptVerifications?: number;
            metadata: components["schemas"]["TransactionMetadata"];
            expiresAt: string;
        };
        TransactionMetadata: {
            txid: string | null;
            endToEndId: string | null;
            late: boolean;
            duplicate: boolean;
            order: {
                [key: string]: string;
            };
        };
        TransactionReference: {
            _id: string;
            amount: number;
        };
        TransactionsSummary: {
            count: number;
            exact: boolean;
            totalGross: number;
            totalFee: number;
            totalReceived: number;
            totalRefunded: number;
            paidCount: number;
            pendingCount: number;
            pendingGross: number;
            todayReceived: number;
            todayPaidCount: number;
        };
        UncreditedPayment: {
            _id: string;
            endToEndId: string;
            txid: string | null;
            amount: number;
            paidAt: string;
            receivedAt: string;
            /** @enum {string} */
            reason: "unknown_txid" | "wrong_amount" | "charge_already_paid" | "late" | "duplicate";
            transaction: {
                _id: string;
            } | null;
        };
        Webhook: {
            _id: string;
            url: string;
            types: ("charge.created" | "charge.paid" | "charge.expired" | "charge.cancelled" | "charge.refunded" | "charge.disputed" | "withdrawal.requested" | "withdrawal.approved" | "withdrawal.completed" | "withdrawal.rejected" | "withdrawal.cancelled" | "withdrawal.returned" | "withdrawal.held" | "page.created" | "page.updated" | "page.completed" | "page.expired" | "page.deleted" | "payment.unmatched")[];
            createdAt: string;
            /** @enum {string} */
            health: "unused" | "healthy" | "failing";
            failingSince: string | null;
            lastProblem: ("timed_out" | "unresolved" | "inside" | "refused" | "tls" | "broken" | "redirected" | "bad_status") | null;
            lastDeliveredAt: string | null;
            undelivered: number;
            formerSecretUntil: string | null;
        };
        WebhookAttempt: {
            attemptedAt: string;
            durationMs: number;
            status: number | null;
            problem: ("timed_out" | "unresolved" | "inside" | "refused" | "tls" | "broken" | "redirected" | "bad_status") | null;
            message: string | null;
            answer: string | null;
            url: string;
            headers: {
                [key: string]: string;
            };
        };
        WebhookDelivery: {
            _id: string;
            webhookId: string;
            eventId: string;
            /** @enum {string} */
            type: "charge.created" | "charge.paid" | "charge.expired" | "charge.cancelled" | "charge.refunded" | "charge.disputed" | "withdrawal.requested" | "withdrawal.approved" | "withdrawal.completed" | "withdrawal.rejected" | "withdrawal.cancelled" | "withdrawal.returned" | "withdrawal.held" | "page.created" | "page.updated" | "page.completed" | "page.expired" | "page.deleted" | "payment.unmatched";
            sequence: number;
            createdAt: string;
            /** @enum {string} */
            state: "queued" | "retrying" | "delivered" | "waiting";
            lastStatus: number | null;
            lastProblem: ("timed_out" | "unresolved" | "inside" | "refused" | "tls" | "broken" | "redirected" | "bad_status") | null;
            nextAttemptAt: string | null;
            deliveredAt: string | null;
        };
        WebhookTest: {
            isDelivered: boolean;
            durationMs: number;
            status: number | null;
            problem: ("timed_out" | "unresolved" | "inside" | "refused" | "tls" | "broken" | "redirected" | "bad_status") | null;
            message: string | null;
            answer: string | null;
        };
        WebhookWithSecret: {
            secret: string | null;
            webhook: components["schemas"]["Webhook"];
        };
        Withdrawal: {
            _id: string;
            amount: number;
            /** @enum {string} */
            paymentMethod: "pix" | "bank_transfer";
            pixKey: string | null;
            pixKeyType: ("cpf" | "cnpj" | "email" | "phone" | "evp") | null;
            bankData: components["schemas"]["BankData"] | null;
            bankAccount: components["schemas"]["BankAccount"];
            adminNotes: string;
            endToEndId: string | null;
            createdAt: string;
            approvedAt: string | null;
            processedAt: string | null;
            returnedAmount: number;
            returnedAt: string | null;
            heldUntil: string | null;
            holdReasons: ("new_destination" | "recovery" | "daily_limit" | "platform_limit")[];
            /** @enum {string} */
            status: "pending" | "approved" | "completed" | "rejected" | "cancelled";
            sentAt: string | null;
        };
        WithdrawalEvent: {
            id: string;
            sequence: number;
            createdAt: string;
            /** @enum {string} */
            type: "withdrawal.requested" | "withdrawal.approved" | "withdrawal.completed" | "withdrawal.rejected" | "withdrawal.cancelled" | "withdrawal.returned" | "withdrawal.held";
            data: {
                withdrawal: components["schemas"]["Withdrawal"];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    getMyBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            balance: number;
                            blocked: number;
                            toCome: number;
                        };
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    /** @default [] */
                    types?: ("charge.created" | "charge.paid" | "charge.expired" | "charge.cancelled" | "charge.refunded" | "charge.disputed" | "withdrawal.requested" | "withdrawal.approved" | "withdrawal.completed" | "withdrawal.rejected" | "withdrawal.cancelled" | "withdrawal.returned" | "withdrawal.held" | "page.created" | "page.updated" | "page.completed" | "page.expired" | "page.deleted" | "payment.unmatched")[];
                    passwordCurrent?: string;
                };
            };
        };
        responses: {
            /** @description Criado */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            webhook: components["schemas"]["Webhook"];
                        };
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sem conteúdo: está feito */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    url?: string;
                    types?: ("charge.created" | "charge.paid" | "charge.expired" | "charge.cancelled" | "charge.refunded" | "charge.disputed" | "withdrawal.requested" | "withdrawal.approved" | "withdrawal.completed" | "withdrawal.rejected" | "withdrawal.cancelled" | "withdrawal.returned" | "withdrawal.held" | "page.created" | "page.updated" | "page.completed" | "page.expired" | "page.deleted" | "payment.unmatched")[];
                    passwordCurrent?: string;
                };
            };
        };
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            webhook: components["schemas"]["Webhook"];
                        };
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            test: components["schemas"]["WebhookTest"];
                        };
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Linhas por página, no máximo 1000 */
                limit?: number;
                /** @description O `_id` da última linha recebida: a lista continua depois dela, chegue o que chegar */
                after?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            deliveries: components["schemas"]["WebhookDelivery"][];
                            next: string | null;
                        };
                    };
                };
            };
        };
    };
    listDeliveryAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            delivery: components["schemas"]["WebhookDelivery"];
                            body: string;
                            attempts: components["schemas"]["WebhookAttempt"][];
                        };
                    };
                };
            };
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            delivery: components["schemas"]["WebhookDelivery"];
                        };
                    };
                };
            };
        };
    };
    resendDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    since: string;
                };
            };
        };
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            count: number;
                        };
                    };
                };
            };
        };
    };
    listChargePages: {
        parameters: {
            query?: {
                /** @description A partir de 1. Enquanto chegam linhas novas, `after` é melhor */
                page?: number;
                /** @description Linhas por página, no máximo 1000 */
                limit?: number;
                /** @description O `_id` da última linha recebida: a lista continua depois dela, chegue o que chegar */
                after?: string;
                status?: "active" | "completed" | "expired" | "cancelled";
                /** @description Texto a procurar */
                search?: string;
                /** @description Primeiro dia, `AAAA-MM-DD`, de São Paulo */
                dateFrom?: string;
                /** @description Último dia, `AAAA-MM-DD`, de São Paulo */
                dateTo?: string;
                /** @description O mesmo que `dateFrom` */
                startDate?: string;
                /** @description O mesmo que `dateTo` */
                endDate?: string;
                kind?: "page" | "single";
                /** @description A referência do pedido, letra por letra */
                externalReference?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        results: number;
                        data: {
                            checkoutPages: components["schemas"]["ChargePage"][];
                            summary: {
                                count: number;
                                activeCount: number;
                            };
                        };
                    };
                };
            };
        };
    };
    createChargePage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug: string;
                    amount: number;
                    /** @default  */
                    description?: string;
                    requireCustomerData?: boolean;
                    customerInfo?: {
                        requireName?: boolean;
                        requireEmail?: boolean;
                        requirePhone?: boolean;
                        requireCpf?: boolean;
                    } | null;
                    pixConfig?: {
                        allowAnonymous?: boolean;
                        expiresInHours?: unknown;
                    } | null;
                    maxPayments?: number | null;
                    externalReference?: string | null;
                    metadata?: {
                        [key: string]: string;
                    } | null;
                    returnUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description Criado */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            checkoutPage: components["schemas"]["ChargePage"];
                        };
                    };
                };
            };
        };
    };
    getChargePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            checkoutPage: components["schemas"]["ChargePage"] | components["schemas"]["PublicChargePage"];
                        };
                    };
                };
            };
        };
    };
    deleteChargePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sem conteúdo: está feito */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateChargePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    title?: string;
                    /** @default  */
                    slug?: string;
                    amount?: number;
                    description?: string;
                    requireCustomerData?: boolean;
                    customerInfo?: {
                        requireName?: boolean;
                        requireEmail?: boolean;
                        requirePhone?: boolean;
                        requireCpf?: boolean;
                    } | null;
                    pixConfig?: {
                        allowAnonymous?: boolean;
                        expiresInHours?: unknown;
                    } | null;
                    maxPayments?: number | null;
                    externalReference?: string | null;
                    metadata?: {
                        [key: string]: string;
                    } | null;
                    returnUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            checkoutPage: components["schemas"]["ChargePage"];
                        };
                    };
                };
            };
        };
    };
    cancelChargePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            checkoutPage: components["schemas"]["ChargePage"];
                        };
                    };
                };
            };
        };
    };
    getSlug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            available: boolean;
                            suggestion: string;
                        };
                    };
                };
            };
        };
    };
    createCharge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: number;
                    /** @default  */
                    description?: string;
                    externalReference?: string | null;
                    metadata?: {
                        [key: string]: string;
                    } | null;
                    returnUrl?: string | null;
                    payer?: {
                        name?: string | null;
                        email?: string | null;
                        cpf?: string | null;
                        phone?: string | null;
                    } | null;
                    expiresInHours?: number | null;
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Criado */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            charge: components["schemas"]["Charge"];
                        };
                    };
                };
            };
        };
    };
    processPixPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    checkoutPageId: string;
                    customerInfo?: {
                        name?: string | null;
                        email?: string | null;
                        cpf?: string | null;
                        phone?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Criado */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: components["schemas"]["PixPayment"];
                    };
                };
            };
        };
    };
    getPaymentStatus: {
        parameters: {
            query?: {
                k?: string;
            };
            header?: never;
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            /** @enum {string} */
                            status: "pendente" | "pago" | "expirado" | "cancelado";
                        };
                    };
                };
            };
        };
    };
    getPaymentProof: {
        parameters: {
            query?: {
                k?: string;
            };
            header?: never;
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            proof: components["schemas"]["PaymentProof"];
                        };
                    };
                };
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: {
                k?: string;
                cpf?: "0" | "1";
            };
            header?: never;
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: components["schemas"]["Receipt"];
                    };
                };
            };
        };
    };
    verifyReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    receipt: string;
                };
            };
        };
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: components["schemas"]["ReceiptVerdict"];
                    };
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description A partir de 1. Enquanto chegam linhas novas, `after` é melhor */
                page?: number;
                /** @description Linhas por página, no máximo 1000 */
                limit?: number;
                /** @description O `_id` da última linha recebida: a lista continua depois dela, chegue o que chegar */
                after?: string;
                status?: "pendente" | "aprovado" | "pago" | "recusado" | "cancelado" | "expirado" | "estornado";
                /** @description Texto a procurar */
                search?: string;
                /** @description Primeiro dia, `AAAA-MM-DD`, de São Paulo */
                dateFrom?: string;
                /** @description Último dia, `AAAA-MM-DD`, de São Paulo */
                dateTo?: string;
                /** @description O mesmo que `dateFrom` */
                startDate?: string;
                /** @description O mesmo que `dateTo` */
                endDate?: string;
                /** @description A referência do pedido, letra por letra */
                externalReference?: string;
                checkoutPage?: string;
                totals?: "exact" | "none";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        results?: number;
                        data: {
                            transactions: components["schemas"]["Transaction"][];
                            summary?: components["schemas"]["TransactionsSummary"];
                        };
                    };
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            transaction: components["schemas"]["TransactionDetails"];
                        };
                    };
                };
            };
        };
    };
    exportTransactions: {
        parameters: {
            query?: {
                status?: "pendente" | "aprovado" | "pago" | "recusado" | "cancelado" | "expirado" | "estornado";
                /** @description Texto a procurar */
                search?: string;
                /** @description Primeiro dia, `AAAA-MM-DD`, de São Paulo */
                dateFrom?: string;
                /** @description Último dia, `AAAA-MM-DD`, de São Paulo */
                dateTo?: string;
                /** @description O mesmo que `dateFrom` */
                startDate?: string;
                /** @description O mesmo que `dateTo` */
                endDate?: string;
                /** @description A referência do pedido, letra por letra */
                externalReference?: string;
                checkoutPage?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: {
                month?: string;
                /** @description O `_id` da última linha recebida: a lista continua depois dela, chegue o que chegar */
                after?: string;
                /** @description Linhas por página, no máximo 1000 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: components["schemas"]["Statement"];
                    };
                };
            };
        };
    };
    listWithdrawnSales: {
        parameters: {
            query?: {
                /** @description O `_id` da última linha recebida: a lista continua depois dela, chegue o que chegar */
                after?: string;
                /** @description Linhas por página, no máximo 1000 */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            rows: components["schemas"]["StatementRow"][];
                            next: string | null;
                        };
                    };
                };
            };
        };
    };
    exportStatement: {
        parameters: {
            query?: {
                month?: string;
                format?: "csv" | "ofx" | "pdf";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ofx": string;
                    "application/pdf": string;
                };
            };
        };
    };
    exportIncome: {
        parameters: {
            query?: {
                year?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getIncomeReport: {
        parameters: {
            query?: {
                year?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: components["schemas"]["IncomeReport"];
                    };
                };
            };
        };
    };
    listWithdrawals: {
        parameters: {
            query?: {
                /** @description A partir de 1. Enquanto chegam linhas novas, `after` é melhor */
                page?: number;
                /** @description Linhas por página, no máximo 1000 */
                limit?: number;
                /** @description O `_id` da última linha recebida: a lista continua depois dela, chegue o que chegar */
                after?: string;
                status?: "pending" | "approved" | "completed" | "rejected" | "cancelled";
                /** @description Texto a procurar */
                search?: string;
                /** @description Primeiro dia, `AAAA-MM-DD`, de São Paulo */
                dateFrom?: string;
                /** @description Último dia, `AAAA-MM-DD`, de São Paulo */
                dateTo?: string;
                /** @description O mesmo que `dateFrom` */
                startDate?: string;
                /** @description O mesmo que `dateTo` */
                endDate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        results: number;
                        data: {
                            withdrawals: components["schemas"]["Withdrawal"][];
                            summary: {
                                available: number;
                                inProgress: number;
                                withdrawn: number;
                                blocked: number;
                                toCome: number;
                            };
                        };
                    };
                };
            };
        };
    };
    requestWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: number;
                    /** @enum {string} */
                    paymentMethod: "pix" | "bank_transfer";
                    pixKey?: string | null;
                    bankData?: {
                        /** @default  */
                        bank?: string;
                        /** @default  */
                        agency?: string;
                        /** @default  */
                        account?: string;
                        /**
                         * @default corrente
                         * @enum {string}
                         */
                        accountType?: "corrente" | "poupanca";
                    } | null;
                };
            };
        };
        responses: {
            /** @description Criado */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            withdrawal: components["schemas"]["Withdrawal"];
                        };
                    };
                };
            };
        };
    };
    getWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            withdrawal: components["schemas"]["Withdrawal"];
                        };
                    };
                };
            };
        };
    };
    cancelWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        message: string;
                        data: {
                            withdrawal: components["schemas"]["Withdrawal"];
                        };
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description O `sequence` do último evento tratado */
                after?: number;
                /** @description Em vez de `after`: só os eventos mais novos, tantos assim */
                last?: number;
                /** @description Linhas por página, no máximo 1000 */
                limit?: number;
                /** @description Alguns tipos de evento, com vírgulas entre eles */
                types?: string;
                /** @description Segundos a esperar pelo próximo evento, no máximo 20 */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            events: components["schemas"]["Event"][];
                            hasMore: boolean;
                            next: number;
                        };
                    };
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            refunds: components["schemas"]["Refund"][];
                            refundable: number;
                            deadline: components["schemas"]["RefundDeadline"] | null;
                        };
                    };
                };
            };
        };
    };
    refundTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422 */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    amount?: number | null;
                    reason?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description Criado */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            refund: components["schemas"]["Refund"];
                        };
                    };
                };
            };
        };
    };
    listDisputes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            disputes: components["schemas"]["Dispute"][];
                            summary: {
                                count: number;
                                blocked: number;
                            };
                        };
                    };
                };
            };
        };
    };
    listTransactionDisputes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sucesso */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        data: {
                            disputes: components["schemas"]["Dispute"][];
                        };
                    };
                };
            };
        };
    };
}
