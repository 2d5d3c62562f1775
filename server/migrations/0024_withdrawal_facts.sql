-- What an admin compares a waiting request with: the seller's last paid ones, and refunds that still may take money.
create index withdrawals_paid_by_seller on withdrawals (seller_id, processed_at desc) where status = 'completed';
create index refunds_under_way_by_seller on refunds (seller_id) where status = 'processing';
