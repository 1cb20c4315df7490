-- Contacts are looked up by phone number in any notation.
drop index contacts_phone_digits;
create index contacts_phone_tail on contacts (account_id, phone_tail(phone)) where deleted_at is null and phone is not null;
