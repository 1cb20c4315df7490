/** Which phone numbers a cell has, and which texts are none. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { checkedPhone, readPhones } from './phones.ts'
import { done, errorsOf, uploaded, warningsOf } from './testing.ts'

it.each([
  '0711 / 123456',
  '0711/123456',
  '+49 (0) 711 / 12 34-5',
  '+49 711 / 123 45 67',
  '040 / 555 01 99',
  '0711 123, 45',
  '+44 20 7946 0958 ext. 12',
])('%s is one number', text => {
  expect(readPhones(text).map(checkedPhone)).toEqual([text])
})

it.each([
  ['0711 1234567, 0711 7654321', ['0711 1234567', '0711 7654321']],
  ['0711 123456 / 0171 1234567', ['0711 123456', '0171 1234567']],
  ['0711 / 123456, +49 171 / 1234567', ['0711 / 123456', '+49 171 / 1234567']],
  ['(0711) 123456 / (0171) 1234567', ['(0711) 123456', '(0171) 1234567']],
  ['555-123-4567 / 555-987-6543', ['555-123-4567', '555-987-6543']],
  ['0711 12345; 0171 12345', ['0711 12345', '0171 12345']],
  ['0711 12345 ::: 0171 12345', ['0711 12345', '0171 12345']],
])('%s are several', (text, numbers) => {
  expect(readPhones(text).map(checkedPhone)).toEqual(numbers)
})

it.each([
  '4.91711E+11',
  '4,91711E+11',
  'siehe Notiz',
  'keine',
  'siehe Notiz vom 12.03.2026',
  '#REF!',
  'a@x.example',
])('%s is no number', text => {
  expect(() => checkedPhone(text)).toThrow(/^“/)
})

it.each([
  'Tel. 0711 12345',
  '0711 12345 (Büro)',
  '1-800-FLOWERS',
  '112',
  '1',
  '5551234x12',
  '+1 555 0100 #12',
])('%s is one', text => {
  expect(checkedPhone(text)).toBe(text)
})

onAnyEngine('phone numbers of an import', account => {
  it('are whole, and a row without a readable one fails', async () => {
    const me = await account()
    const rows = [
      'A;0711 / 123456',
      'B;"=""0711 12345"""',
      'C;siehe Notiz',
      'D;#N/A',
      'E;030 123456, 030 654321',
    ]
    const upload = await uploaded(me, `name;phone\n${rows.join('\n')}\n`, { entity_type: 'company' })
    expect(await done(me, upload.id, 'start')).toMatchObject({ created_count: 4, error_count: 1 })
    const { items } = (await me.get('/api/companies?sort_by=name&sort_order=asc')).body
    expect(items.map(({ phone }: { phone: string | null }) => phone)).toEqual([
      ...['0711 / 123456', '0711 12345', null, '030 123456'],
    ])
    expect(await errorsOf(me, upload.id)).toMatchObject([
      { row: 4, column: 'phone', message: expect.stringContaining('is not a phone number') },
    ])
    expect(await warningsOf(me, upload.id)).toMatchObject([
      { row: 5, message: '“#N/A” is taken for no value' },
      { row: 6, message: 'Only the first phone is kept', value: '030 654321' },
    ])
  })
})
