/** The rules of every endpoint, for people (the reference page) and for language models (/llms.txt). */
export const introduction = `Kith is a customer-relationship-management service: contacts, companies, deals, activities, notes, \
knowledge base, chats and search behind one REST interface. Requests and answers are JSON.

## Authentication

Send an API key as \`X-API-Key: sk_…\` or \`Authorization: Bearer sk_…\`, or a signed-in person’s token as \
\`Authorization: Bearer <token>\` with the account in \`X-Account-ID\` (not needed by a person with one account). \
A key belongs to one account and can be limited to scopes such as \`contacts:read\`. A request that also reads or changes \
records of another group (questions, queries, timelines, undo, tags, categories, imports, favorites, a company’s team) \
needs that group’s scope, too. A write that returns or looks up an earlier record (an update, upsert or merge) needs the \
read scope besides the write scope: \`x-also-needs\` in the OpenAPI document. Scopes do not hide one thing: a link \
shows the name of its record. A request sees one \
account; a record of another account gets the same answer as one that does not exist.

    curl -H 'X-API-Key: sk_…' {base_url}/api/companies

## Records

Ids are UUIDs. Times are ISO 8601 in UTC. \`PUT\` changes the fields that are sent and leaves the others; \`null\` \
empties a field that can be empty; \`PATCH\` does the same. To change single keys of \`metadata\`, which holds the \
custom fields, send a \`PATCH\` with \`Content-Type: application/merge-patch+json\`: objects are merged key by key, and \
\`null\` removes a key. Keys and query parameters that are not known are ignored, so \
the fields of an answer that a request does not have can be sent back. A field that takes ids, such as \`team_ids\`, \
returns objects with \`id\` and \`name\`, and a request with these objects is a 422: send their ids, or leave the field \
out, and the links stay as they are. With \`Prefer: handling=strict\` (RFC 7240) they are refused with a 422 that \
suggests the nearest name; \`/query\`, \`/bulk-update\`, exports and imports always refuse them.

Deleting puts a record into the trash: it is missing from every list, count and search, \`POST …/{id}/restore\` restores \
it, and \`?deleted=true\` lists the trash, each record with its \`deleted_at\`. Records that have been in the trash for \
30 days (unless set otherwise) are removed permanently.

To keep a copy in step, ask each list for \`updated_after=<time of the last run>\` and for \
\`deleted_after=<time of the last run>\`, which lists the trash; \`updated_at\` moves when a record is deleted or \
restored. Times are those at which a transaction began: let each run overlap the one before by a few minutes.

## Lists

\`page\` (from 1) and \`page_size\` (50, at most 1000) choose a page; the answer has \`items\`, \`total\`, \`page\`, \
\`page_size\` and \`total_pages\`. To read many records send \`cursor=\` (empty at first) and then each answer’s \
\`next_cursor\`. \`search\`, \`sort_by\` and \`sort_order\`, \`created_after\`, \`created_before\`, \`updated_after\`, \
\`updated_before\`, \`deleted_after\`, \`deleted_before\`, \`ids\`, \`category\`, \`is_favorite\` and \`cf.<key>\` (a custom field) narrow and order a list. \
\`POST /api/query\` and \`POST /api/<group>/query\` take conditions on records and on related ones, and return lists, figures and groups.

## Errors

Errors are \`{"detail": "…"}\`. A request that fails validation is 422 with a list: \
\`{"detail": [{"type", "loc", "msg", "input"}]}\`, where \`loc\` is the path to the value, e.g. \`["body", "team_ids", 0]\`; \
nothing has been written then. 401: no or bad credentials. 403: not allowed. 404: no such record. 409: a conflict. \
412: the record has changed since you read it. 429 and 503 say in \`Retry-After\` when to try again. Every answer carries \
\`X-Request-ID\`.

## Limits

Text has at most 30 combining marks in a row. A free object such as \`metadata\` or \`settings\` has at \
most 256 KB as JSON and 1,000 keys. A page has at most 20 MB: a larger one is 413, take a smaller \`page_size\`. A 422 lists \
at most 100 problems, and shortens long values. An account \
has at most five exports waiting (409), a caller at most 20 event streams open (429); the files of an account together have \
a limit that the operator sets (413). A value in a nested filter has at most 1,000 characters. \`search\` in a list \
reads the first 100,000 characters of a long text.

## Repeating requests safely

A POST with \`Idempotency-Key: <any text>\` can be repeated for 24 hours: the same key and body get the same answer \
again, another body is 422. A single record carries an \`ETag\`: \`If-Match\` on PUT and DELETE writes only while the \
record is unchanged, \`If-None-Match\` on GET answers 304.
`
