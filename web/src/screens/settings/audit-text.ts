/** What an event says to people: `deal.contact_linked` is "linked a contact to the deal …". */

/** Kinds that people know by another name. */
const KINDS: Readonly<Record<string, string>> = {
  document: 'page',
  email_draft: 'mail',
  email_template: 'mail template',
  transcription: 'recording',
  view: 'saved view',
}

const words = (name: string): string => name.replaceAll('_', ' ')

export const kindText = (kind: string): string => KINDS[kind] ?? words(kind)

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** The words before and after the name of the record. */
export function actionText(action: string, kind: string): { before: string; after: string } {
  const the = `the ${kindText(kind)}`
  const [, other, way] = /^(.+)_(linked|unlinked|link_changed)$/.exec(action) ?? []
  if (other && way) {
    const linked = article(kindText(other))
    if (way === 'linked') return { before: `linked ${linked} to ${the}`, after: '' }
    if (way === 'unlinked') return { before: `removed ${linked} from ${the}`, after: '' }
    return { before: `changed how ${linked} belongs to ${the}`, after: '' }
  }
  if (action === 'updated') return { before: `changed ${the}`, after: '' }
  if (action === 'deleted') return { before: `moved ${the}`, after: 'to the trash' }
  if (action === 'stage_changed') return { before: `moved ${the}`, after: 'to another stage' }
  return { before: `${words(action)} ${the}`, after: '' }
}

const FIELDS: Readonly<Record<string, string>> = {
  metadata: 'custom fields',
  body_html: 'text',
  content: 'text',
  content_markdown: 'text',
  external_ids: 'ids in other systems',
}

/** `expected_close_date` → expected close date, `owner_id` → owner, `due_at` → due */
export const fieldText = (field: string): string =>
  FIELDS[field] ?? words(field.replace(/^(is|associated)_/, '').replace(/_(ids?|at|url)$/, ''))
