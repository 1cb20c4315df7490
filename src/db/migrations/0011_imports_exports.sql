-- Imports and exports, and what it takes to write a hundred thousand records at once.

-- Most text is plain ASCII, which needs none of what fold() does for the rest: 4 µs instead of 70 for what a
-- contact is searched by, which was most of the cost of writing one. The results are the same as before.
create function fold_unicode(value text) returns text
  language sql immutable strict parallel safe
  as $$
    select replace(replace(replace(
      translate(
        lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') collate "C"),
        'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІЇҐЂЃЅЈЉЊЋЌЎЏØøĐđŁłÐÞŒÆĦıŊŦ',
        'αβγδεζηθικλμνξοπρστυφχψωσабвгдежзийклмнопрстуфхцчшщъыьэюяєіїґђѓѕјљњћќўџooddllðþœæħiŋŧ'
      ), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss')
  $$;
create or replace function fold(value text) returns text
  language plpgsql immutable strict parallel safe
  as $$
begin
  if octet_length(value) = length(value) then return lower(value collate "C"); end if;
  return fold_unicode(value);
end $$;

-- Most records have no list: no query is started for those.
create or replace function texts_of(value jsonb, key text default null) returns text
  language plpgsql immutable parallel safe
  as $$
begin
  if value is null then return null; end if;
  return (
    select string_agg(case when key is null then part #>> '{}' else part ->> key end, chr(10))
    from jsonb_array_elements('[]'::jsonb || value) part
  );
end $$;
