-- Functions of values alone. Generated columns, indexes and policies use them, so this file is applied before the
-- migrations, all others after them. Changing what one of them returns needs a migration that rewrites the columns
-- and indexes built on it.
-- They call each other with the schema: ANALYZE, CREATE INDEX and a restored dump run without `kith` in the path.

-- The account of the connection; src/db/engine.ts sets it before each statement or transaction.
create or replace function current_account() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('kith.account_id', true), '')::uuid $$;

-- Cuts runs of combining marks to 30 (no script needs more than a handful). normalize() sorts the marks that follow a
-- letter by insertion, so a run of n marks takes n² steps: 20,000 took 9 s. The API refuses longer runs; this covers
-- text that is assembled later, such as the entities of an HTML body. The marks are the general category M of
-- Unicode 17 and the two halfwidth marks that NFKD turns into marks.
create or replace function cut_marks(value text) returns text
  language plpgsql immutable strict parallel safe
  as $$
declare
  mark constant text := '['
      '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
      '\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd'
      '\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0903'
      '\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7\u09c8\u09cb-\u09cd'
      '\u09d7\u09e2\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d\u0a51\u0a70\u0a71\u0a75'
      '\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2\u0ae3\u0afa-\u0aff\u0b01-\u0b03\u0b3c'
      '\u0b3e-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd'
      '\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc'
      '\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5\u0cd6\u0ce2\u0ce3\u0cf3\u0d00-\u0d03\u0d3b\u0d3c\u0d3e-\u0d44'
      '\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2\u0df3'
      '\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f'
      '\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0f97\u0f99-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060'
      '\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u135d-\u135f\u1712-\u1715'
      '\u1732-\u1734\u1752\u1753\u1772\u1773\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885\u1886\u18a9\u1920-\u192b'
      '\u1930-\u193b\u1a17-\u1a1b\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1ab0-\u1add\u1ae0-\u1aeb\u1b00-\u1b04'
      '\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce8'
      '\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099\u309a'
      '\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua802\ua806\ua80b\ua823-\ua827\ua82c\ua880\ua881'
      '\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36'
      '\uaa43\uaa4c\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf\uaac1\uaaeb-\uaaef\uaaf5\uaaf6'
      '\uabe3-\uabea\uabec\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\uff9e\uff9f\U000101fd\U000102e0'
      '\U00010376-\U0001037a\U00010a01-\U00010a03\U00010a05\U00010a06\U00010a0c-\U00010a0f\U00010a38-\U00010a3a'
      '\U00010a3f\U00010ae5\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab\U00010eac'
      '\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011000-\U00011002\U00011038-\U00011046'
      '\U00011070\U00011073\U00011074\U0001107f-\U00011082\U000110b0-\U000110ba\U000110c2\U00011100-\U00011102'
      '\U00011127-\U00011134\U00011145\U00011146\U00011173\U00011180-\U00011182\U000111b3-\U000111c0'
      '\U000111c9-\U000111cc\U000111ce\U000111cf\U0001122c-\U00011237\U0001123e\U00011241\U000112df-\U000112ea'
      '\U00011300-\U00011303\U0001133b\U0001133c\U0001133e-\U00011344\U00011347\U00011348\U0001134b-\U0001134d'
      '\U00011357\U00011362\U00011363\U00011366-\U0001136c\U00011370-\U00011374\U000113b8-\U000113c0\U000113c2'
      '\U000113c5\U000113c7-\U000113ca\U000113cc-\U000113d0\U000113d2\U000113e1\U000113e2\U00011435-\U00011446'
      '\U0001145e\U000114b0-\U000114c3\U000115af-\U000115b5\U000115b8-\U000115c0\U000115dc\U000115dd'
      '\U00011630-\U00011640\U000116ab-\U000116b7\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011935'
      '\U00011937\U00011938\U0001193b-\U0001193e\U00011940\U00011942\U00011943\U000119d1-\U000119d7'
      '\U000119da-\U000119e0\U000119e4\U00011a01-\U00011a0a\U00011a33-\U00011a39\U00011a3b-\U00011a3e\U00011a47'
      '\U00011a51-\U00011a5b\U00011a8a-\U00011a99\U00011b60-\U00011b67\U00011c2f-\U00011c36\U00011c38-\U00011c3f'
      '\U00011c92-\U00011ca7\U00011ca9-\U00011cb6\U00011d31-\U00011d36\U00011d3a\U00011d3c\U00011d3d'
      '\U00011d3f-\U00011d45\U00011d47\U00011d8a-\U00011d8e\U00011d90\U00011d91\U00011d93-\U00011d97'
      '\U00011ef3-\U00011ef6\U00011f00\U00011f01\U00011f03\U00011f34-\U00011f3a\U00011f3e-\U00011f42\U00011f5a'
      '\U00013440\U00013447-\U00013455\U0001611e-\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f'
      '\U00016f51-\U00016f87\U00016f8f-\U00016f92\U00016fe4\U00016ff0\U00016ff1\U0001bc9d\U0001bc9e'
      '\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182'
      '\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001da00-\U0001da36\U0001da3b-\U0001da6c'
      '\U0001da75\U0001da84\U0001da9b-\U0001da9f\U0001daa1-\U0001daaf\U0001e000-\U0001e006\U0001e008-\U0001e018'
      '\U0001e01b-\U0001e021\U0001e023\U0001e024\U0001e026-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae'
      '\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee\U0001e5ef\U0001e6e3\U0001e6e6\U0001e6ee\U0001e6ef'
      '\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a\U000e0100-\U000e01ef'
      ']';
begin
  if length(value) <= 30 or value !~ (mark || '{31}') then return value; end if;
  return regexp_replace(value, '(' || mark || '{30})' || mark || '+', '\1', 'g');
end $$;

-- Text for searching: without case and accents, the same on every server and locale. src/kernel/fold.ts does the same in
-- JavaScript, for the values that queries compare with. Most text is plain ASCII and takes a short cut: 4 µs instead of
-- 70 for the search text of a contact, which was most of the cost of writing one. lower() under the C locale changes
-- only ASCII, so the other letters are listed here, by script: translate() compares each character with every letter of
-- its list, which was 90 % of the time for text without any of them.
create or replace function fold(value text) returns text
  language plpgsql immutable strict parallel safe
  as $$
declare
  folded text;
begin
  if octet_length(value) = length(value) then return lower(value collate "C"); end if;
  -- German text: 49,000 characters take 2 ms, and 13 ms in the way below.
  if value !~ '[^\u0001-\u007fÄÖÜäöüß]' then
    return lower(replace(replace(replace(replace(replace(replace(replace(value, 'ä', 'a'), 'ö', 'o'), 'ü', 'u'),
      'Ä', 'A'), 'Ö', 'O'), 'Ü', 'U'), 'ß', 'ss') collate "C");
  end if;
  -- One U+FDFA becomes 18 characters. Ordinary text becomes at most three times as long (Hangul syllables).
  folded := left(normalize(kith.cut_marks(value), NFKD), greatest(5000, 3 * length(value)));
  -- The usual marks first, because a regular expression that removes thousands takes most of the time.
  folded := replace(replace(replace(replace(replace(replace(folded, e'\u0301', ''), e'\u0308', ''), e'\u0300', ''),
    e'\u0302', ''), e'\u0303', ''), e'\u030c', '');
  if folded ~ '[\u0300-\u036f]' then folded := regexp_replace(folded, '[\u0300-\u036f]+', '', 'g'); end if;
  folded := lower(folded collate "C");
  if octet_length(folded) = length(folded) then return folded; end if;
  if folded ~ '[Α-Ως]' then
    folded := translate(folded, 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς', 'αβγδεζηθικλμνξοπρστυφχψωσ');
  end if;
  if folded ~ '[Ѐ-ЯҐ]' then
    folded := translate(folded,
      'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІЇҐЂЃЅЈЉЊЋЌЎЏ',
      'абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґђѓѕјљњћќўџ');
  end if;
  if folded ~ '[ØøĐđŁłÐÞŒÆĦıŊŦ]' then
    folded := translate(folded, 'ØøĐđŁłÐÞŒÆĦıŊŦ', 'ooddllðþœæħiŋŧ');
  end if;
  return replace(replace(replace(folded, 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss');
end $$;

-- The digits of a phone number. translate() removes the usual separators first, which halves the time. Not in the
-- language SQL: every statement that writes a row parses such a function again to inline it into the generated column.
create or replace function digits(value text) returns text
  language plpgsql immutable strict parallel safe
  as $$ begin return regexp_replace(translate(value, ' +-()./', ''), '[^0-9]', '', 'g'); end $$;

-- The country calling code of a number in international notation (+49…, 0049…); null when it is not written out.
-- Calling codes are prefix-free: some of one or two digits, all others of three.
create or replace function phone_country(value text) returns text
  language sql immutable strict parallel safe
  as $$ select substring(ltrim(kith.digits(value), '0')
      from '^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0357-9]|9[679])[0-9])')
    where value ~ '^[^0-9+]*([+]|00[1-9])' $$;

-- The digits of a phone number without its extension and the zeros in front.
create or replace function phone_digits(value text) returns text
  language sql immutable strict parallel safe
  as $$ select ltrim(kith.digits(regexp_replace(value, '(ext|x|#).*$', '', 'i')), '0') $$;

-- A phone number without calling code, trunk zero, separators and extension: `+49 (0)170 555-0199`, `0049170 5550199`
-- and `0170 5550199 ext. 3` have the same key. The digit for mobile numbers after +54 and +52, which is not dialled
-- within Argentina and Mexico, is dropped.
create or replace function phone_key(value text) returns text
  language plpgsql immutable strict parallel safe
as $$
declare
  country text := kith.phone_country(value);
  key text := ltrim(substr(kith.phone_digits(value), coalesce(length(country), 0) + 1), '0');
begin
  if country in ('52', '54') then return regexp_replace(key, '^[19]([0-9]{10})$', '\1'); end if;
  return key;
end $$;

-- What a phone number can mean: `+7 912 345-67-89` is 9123456789 in country 7. A number in national notation is one of
-- any country (''), without its trunk zero. It is also one of the country whose calling code or other trunk prefix it
-- begins with; it is `certain` where the form of the number leaves no doubt. phones.test.ts compares this list of
-- prefixes with the numbering plan of every country.
create or replace function phone_readings(value text) returns table (country text, key text, certain boolean)
  language plpgsql immutable strict parallel safe rows 1
as $$
declare
  dialled text;
begin
  country := coalesce(kith.phone_country(value), '');
  key := kith.phone_key(value);
  certain := country <> '';
  return next;
  if certain then return; end if;
  dialled := kith.digits(regexp_replace(value, '(ext|x|#).*$', '', 'i'));
  if dialled !~ '^0' then
    country := kith.phone_country('+' || dialled);
    key := kith.phone_key('+' || dialled);
    if length(key) > 4 then return next; end if;
  end if;
  if dialled !~ '^(0[1-9]|1|8)[0-9]{7}' then return; end if; -- halves the time for most numbers
  return query select n.code, regexp_replace(dialled, n.pattern, '\1\2'), n.is_certain from (values
    ('1', '^1([2-9][0-9]{2}[2-9][0-9]{6})$', true),
    ('7', '^8([3-9][0-9]{9})$', true),
    ('36', '^06([0-9]{8,9})$', false),
    ('52', '^0(?:1|44|45)([0-9]{10})$', false),
    ('54', '^0(11)15([0-9]{8})$', false),
    ('54', '^0([23][0-9]{2})15([0-9]{7})$', false),
    ('54', '^0([23][0-9]{3})15([0-9]{6})$', false),
    ('370', '^8([0-9]{8})$', false),
    ('375', '^80([1-9][0-9]{8})$', true),
    ('375', '^8([1-9][0-9]{8})$', false),
    ('692', '^1([0-9]{7})$', false),
    ('993', '^8([0-9]{8})$', false)
  ) n (code, pattern, is_certain) where dialled ~ n.pattern;
end $$;

-- The digits that a number ends with in every notation; contacts_phone_tail is an index on them.
create or replace function phone_tail(value text) returns text
  language sql immutable strict parallel safe
  as $$ select right(regexp_replace(regexp_replace(value, '(ext|x|#).*$', '', 'i'), '[^0-9]', '', 'g'), 6) $$;

-- Whether two texts are the same number. National notation agrees with any country that is certain.
create or replace function is_same_phone(a text, b text) returns boolean
  language sql immutable strict parallel safe
  as $$ select exists (
    select from kith.phone_readings(a) x join kith.phone_readings(b) y on x.key = y.key
      and (x.country = y.country or x.country = '' and y.certain or y.country = '' and x.certain)) $$;

-- The texts in a JSON array, or under a key of the objects in it, one per line: `[{"email": "a@b.c"}]` matches a search
-- for the address but not for the word "email". Most records have no list or a list of one, and no query is started for
-- those.
create or replace function texts_of(value jsonb, key text default null) returns text
  language plpgsql immutable parallel safe
  as $$
begin
  if value is null or value = '[]' then return null; end if;
  if jsonb_typeof(value) = 'array' and jsonb_array_length(value) = 1 then
    return case when key is null then value ->> 0 else value -> 0 ->> key end;
  end if;
  return (
    select string_agg(case when key is null then part #>> '{}' else part ->> key end, chr(10))
    from jsonb_array_elements('[]'::jsonb || value) part
  );
end $$;

-- What companies and contacts derive from their columns. Each is one call: PostgreSQL parses and plans the expressions of
-- generated columns again for every statement that writes a row.
create or replace function company_text(
  name text, domains jsonb, email text, website text, phone text, industry text, city text, country text, description text
) returns text
  language plpgsql immutable parallel safe
  as $$
begin
  return kith.fold(
    name || chr(10) || coalesce(kith.texts_of(domains), '') || chr(10) || coalesce(email, '') || chr(10) ||
    coalesce(website, '') || chr(10) || coalesce(phone, '') || chr(10) || coalesce(industry, '') || chr(10) ||
    coalesce(city, '') || chr(10) || coalesce(country, '') || chr(10) || coalesce(description, ''));
end $$;

create or replace function contact_text(
  first_name text, last_name text, email text, emails jsonb, phone text, phones jsonb, job_title text, department text,
  city text, country text, description text
) returns text
  language plpgsql immutable parallel safe
  as $$
begin
  return kith.fold(
    coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(email, '') || chr(10) ||
    coalesce(kith.texts_of(emails, 'email'), '') || chr(10) || coalesce(phone, '') || chr(10) ||
    coalesce(kith.texts_of(phones, 'phone'), '') || chr(10) || coalesce(job_title, '') || chr(10) ||
    coalesce(department, '') || chr(10) || coalesce(city, '') || chr(10) || coalesce(country, '') || chr(10) ||
    coalesce(description, ''));
end $$;

create or replace function contact_name(first_name text, last_name text, email text) returns text
  language plpgsql immutable parallel safe
  as $$
begin
  return coalesce(nullif(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), email, '');
end $$;

create or replace function contact_phone_digits(phone text, phones jsonb) returns text
  language plpgsql immutable parallel safe
  as $$
begin
  return coalesce(kith.digits(phone), '') || ',' ||
    regexp_replace(coalesce(kith.texts_of(phones, 'phone'), ''), '[^0-9\n]', '', 'g');
end $$;

create or replace function record_bytes(metadata jsonb, enrichment jsonb, description text, notes text) returns int
  language plpgsql immutable parallel safe
  as $$
begin
  return octet_length(metadata::text) + octet_length(enrichment::text) + coalesce(octet_length(description), 0)
    + coalesce(octet_length(notes), 0);
end $$;

-- `https://www.Acme.com/about` and `acme.com` are the same domain.
create or replace function domain_name(value text) returns text
  language sql immutable strict parallel safe
  as $$
    select regexp_replace(lower(trim(value) collate "C"), '^([a-z][a-z0-9+.-]*://)?(www\.)?|[/?#:].*$', '', 'g')
  $$;

-- The order of the list of chats: pinned chats first, then by time. One number, because a list sorts by one value.
create or replace function chat_rank(is_pinned boolean, updated_at timestamptz) returns numeric
  language sql immutable parallel safe
  as $$ select extract(epoch from updated_at at time zone 'UTC') + case when is_pinned then 1e12 else 0 end $$;
