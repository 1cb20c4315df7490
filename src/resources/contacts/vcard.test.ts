import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { foldedLine } from '../../lib/folded-line.ts'
import { fileName, vcard } from './vcard.ts'

const bare = { id: newId(), full_name: 'Ada', first_name: 'Ada', updated_at: '2026-01-31T09:30:00.000Z' }
const linesOf = (card: string) => card.replaceAll('\r\n ', '').split('\r\n')

it.each([
  ['plain', 'FN:plain'],
  ['a,b;c\\d', 'FN:a\\,b\\;c\\\\d'],
  ['a\nb\r\nc\rd', 'FN:a\\nb\\nc\\nd'],
  ['a: b', 'FN:a: b'],
  ['bell\u0007', 'FN:bell'],
  ['Łódź 李 🦄', 'FN:Łódź 李 🦄'],
])('escapes %j', (full_name, line) => {
  expect(linesOf(vcard({ ...bare, full_name }))).toContain(line)
})

it.each([
  ['X:', 'x', 200],
  ['NOTE:', 'ä', 100],
  ['NOTE:', '李', 100],
  ['NOTE:', '🦄', 100],
  ['NOTE:x', '🦄', 100],
])('folds %s%s… at 75 octets and never inside a character', (start, character, count) => {
  const line = start + character.repeat(count)
  const physical = foldedLine(line).split('\r\n')
  expect(physical.length).toBeGreaterThan(1)
  for (const [i, part] of physical.entries()) {
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75)
    expect(part.isWellFormed()).toBe(true)
    if (i > 0) expect(part.startsWith(' ')).toBe(true)
  }
  expect(foldedLine(line).replaceAll('\r\n ', '')).toBe(line)
})

it('does not fold a line of 75 octets', () => {
  expect(foldedLine('x'.repeat(75))).toBe('x'.repeat(75))
  expect(foldedLine('x'.repeat(76))).toBe(`${'x'.repeat(75)}\r\n x`)
})

it('escapes line breaks in values', () => {
  const card = vcard({
    ...bare,
    website: 'https://x.test\r\nEND:VCARD',
    avatar_url: 'a\u2028b',
    birthday: null,
  })
  expect(linesOf(card).filter(line => line === 'END:VCARD')).toHaveLength(1)
  expect(linesOf(card)).toContain('URL:https://x.testEND:VCARD')
})

it.each([
  ['Acme', null, 'ORG:Acme'],
  ['Acme', 'R;D', 'ORG:Acme;R\\;D'],
  [null, 'Sales', 'ORG:;Sales'],
])('writes the organization of %j and %j', (name, department, line) => {
  const company_ids = name === null ? [] : [{ id: 'c', name }]
  const card = vcard({ ...bare, department, company_id: name === null ? null : 'c', company_ids })
  expect(linesOf(card)).toContain(line)
})

it.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['../../etc/passwd', 'etc passwd'],
  ['a"b\r\nc', 'a b c'],
  ['...', 'contact'],
  ['李', '李'],
  ['x'.repeat(300), 'x'.repeat(100)],
])('names the file of %j %j', (name, expected) => {
  expect(fileName(name)).toBe(expected)
})

onAnyEngine('the vCard', account => {
  it('contains the fields that address books support', async () => {
    const { create, get } = await account()
    const company = await create('/api/companies', { name: 'Acme, Inc.' })
    const { id, updated_at } = await create('/api/contacts', {
      first_name: 'Zoë',
      last_name: 'O’Neill; Jr',
      emails: [
        { email: 'z@home.test', type: 'home' },
        { email: 'z@x.test', is_primary: true },
        { email: 'o@x.test', type: 'other' },
      ],
      phone: '+1 555 0100',
      job_title: 'CEO',
      department: 'Board',
      company_id: company.id,
      address: '1 Main St\nFloor 2',
      city: 'Vienna',
      postal_code: '1010',
      country: 'Austria',
      website: 'https://x.test/a,b;c',
      avatar_url: 'https://x.test/z.png',
      linkedin_url: 'https://linkedin.com/in/z',
      birthday: '1990-05-01',
      categories: ['VIP', 'a,b'],
      description: 'Line 1\nLine 2',
    })
    const answer = await get(`/api/contacts/${id}/vcard`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/vcard; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="Zo_ O_Neill; Jr.vcf"; filename*=UTF-8\'\'Zo%C3%AB%20O%E2%80%99Neill%3B%20Jr.vcf',
    )
    expect(answer.text.endsWith('END:VCARD\r\n')).toBe(true)
    expect(linesOf(answer.text)).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'PRODID:-//Kith//Kith//EN',
      `UID:urn:uuid:${id}`,
      'FN:Zoë O’Neill\\; Jr',
      'N:O’Neill\\; Jr;Zoë;;;',
      'ORG:Acme\\, Inc.;Board',
      'TITLE:CEO',
      'EMAIL;TYPE=INTERNET,HOME:z@home.test',
      'EMAIL;TYPE=INTERNET,WORK,PREF:z@x.test',
      'EMAIL;TYPE=INTERNET:o@x.test',
      'TEL;TYPE=VOICE,WORK,PREF:+1 555 0100',
      'ADR;TYPE=WORK:;;1 Main St\\nFloor 2;Vienna;;1010;Austria',
      'URL:https://x.test/a,b;c',
      'PHOTO;VALUE=URI:https://x.test/z.png',
      'X-SOCIALPROFILE;TYPE=linkedin:https://linkedin.com/in/z',
      'BDAY:1990-05-01',
      'CATEGORIES:VIP,a\\,b',
      'NOTE:Line 1\\nLine 2',
      `REV:${updated_at}`,
      'END:VCARD',
      '',
    ])
  })

  it('is short for a contact with only an email address, and is a 404 for an unknown contact', async () => {
    const { create, get, delete: remove } = await account()
    const { id, updated_at } = await create('/api/contacts', { email: 'a@b.co' })
    const one = `/api/contacts/${id}/vcard`
    expect(linesOf((await get(one)).text)).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'PRODID:-//Kith//Kith//EN',
      `UID:urn:uuid:${id}`,
      'FN:a@b.co',
      'N:;;;;',
      'EMAIL;TYPE=INTERNET,WORK,PREF:a@b.co',
      `REV:${updated_at}`,
      'END:VCARD',
      '',
    ])
    await remove(`/api/contacts/${id}`)
    expect((await get(one)).body).toEqual({ detail: 'Contact not found' })
  })
})
