/** A contact as a vCard. Version 3.0 (RFC 2426): Apple, Google and Outlook all read it; 4.0 they read in part. */

import { endpoint } from '../../kernel/endpoint.ts'
import { lookup } from '../../kernel/lookup.ts'
import { asDownload, rawReply } from '../../kernel/reply.ts'
import type { Operations } from '../../kernel/resource.ts'
import { foldedLine } from '../../lib/folded-line.ts'
import type { Contact, ContactInput } from './record.ts'

export const vcardEndpoint = (operations: Operations<ContactInput, Contact>) =>
  endpoint({
    method: 'GET',
    path: '/api/contacts/{contact_id}/vcard',
    tag: 'Contacts',
    permission: 'contacts:read',
    summary: 'Download a contact as a vCard',
    description:
      'Version 3.0 (RFC 2426), as a file named after the contact. Tags, notes and custom fields are not part of it.',
    responseContent: { 'text/vcard': { type: 'string' } },
    async run(ctx, { params }) {
      const person = await operations.get(ctx, params.contact_id)
      return rawReply(
        vcard(person),
        'text/vcard; charset=utf-8',
        asDownload(`${fileName(person.full_name)}.vcf`),
      )
    },
  })

type Card = Pick<Contact, 'id' | 'full_name' | 'updated_at'> & Partial<Contact>

export function vcard(person: Card): string {
  const company = person.company_ids?.find(item => item.id === person.company_id)
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'PRODID:-//Kith//Kith//EN',
    `UID:urn:uuid:${person.id}`,
    `FN:${text(person.full_name)}`,
    `N:${structured([person.last_name, person.first_name, null, null, null])}`,
    ...field('ORG', organization(company?.name, person.department)),
    ...field('TITLE', text(person.job_title)),
    ...reachedBy(
      'EMAIL',
      'INTERNET',
      person.email,
      person.emails?.map(entry => ({ ...entry, value: entry.email })),
    ),
    ...reachedBy(
      'TEL',
      'VOICE',
      person.phone,
      person.phones?.map(entry => ({ ...entry, value: entry.phone })),
    ),
    ...field('ADR;TYPE=WORK', address(person)),
    ...field('URL', uri(person.website)),
    ...field('PHOTO;VALUE=URI', uri(person.avatar_url)),
    ...SOCIAL.flatMap(([name, key]) => field(`X-SOCIALPROFILE;TYPE=${name}`, uri(person[key]))),
    ...field('BDAY', person.birthday ?? ''),
    ...field('CATEGORIES', (person.categories ?? []).map(text).join(',')),
    ...field('NOTE', text(person.description)),
    `REV:${person.updated_at}`,
    'END:VCARD',
  ]
  return lines.map(line => `${foldedLine(line)}\r\n`).join('')
}

const SOCIAL = [
  ['linkedin', 'linkedin_url'],
  ['facebook', 'facebook_url'],
  ['instagram', 'instagram_url'],
  ['twitter', 'twitter_url'],
] as const

const field = (name: string, value: string): string[] => (value === '' ? [] : [`${name}:${value}`])

/** The list if there is one, else the single address or number. */
function reachedBy(
  name: string,
  kind: string,
  single: string | null | undefined,
  list: { value: string; type: string; is_primary: boolean }[] | undefined,
): string[] {
  const entries = list?.length ? list : single ? [{ value: single, type: 'work', is_primary: true }] : []
  return entries.map(entry => {
    const types = [kind, TYPES[entry.type], entry.is_primary ? 'PREF' : undefined]
    return `${name};TYPE=${types.filter(type => type !== undefined).join(',')}:${text(entry.value)}`
  })
}

const TYPES = lookup<string>({ work: 'WORK', home: 'HOME', mobile: 'CELL' })

function address(person: Card): string {
  const parts = [person.address, person.city, person.state, person.postal_code, person.country]
  return parts.some(Boolean) ? structured([null, null, ...parts]) : ''
}

/** The company and the department. Some readers show an empty department as a stray semicolon. */
const organization = (company: string | undefined, department: string | null | undefined): string =>
  department ? structured([company, department]) : text(company)

const structured = (parts: (string | null | undefined)[]): string => parts.map(text).join(';')

/** Escapes backslash, comma, semicolon and line breaks; removes other control characters. */
const text = (value: string | null | undefined): string =>
  (value ?? '')
    .replace(/[\\,;]/g, '\\$&')
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '\\n')
    .replace(/\p{Cc}/gu, '')

/** An address is written unescaped, so it must not contain a line break. */
const uri = (value: string | null | undefined): string =>
  (value ?? '').replace(/[\p{Cc}\u2028\u2029]/gu, '').trim()

/** The person's name without characters that file systems refuse. */
export function fileName(name: string): string {
  const safe = [...name.replace(/[\p{Cc}\\/:*?"<>|']+/gu, ' ').trim()].slice(0, 100).join('')
  return safe.replace(/^[.\s]+|[.\s]+$/g, '') || 'contact'
}
