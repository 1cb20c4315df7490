/** Imports of XLSX, JSON and vCard files, over HTTP. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { sheetOf, workbookOf } from './formats/workbook.testing.ts'
import { done, errorsOf, exportedText, formOf, imported, uploaded } from './testing.ts'

onAnyEngine('imports of other formats', account => {
  it('imports a sheet, whose errors have the numbers of its rows', async () => {
    const me = await account()
    const people = sheetOf([
      ['Name', 'Email'],
      ['Ann Lee', 'ann@x.example'],
    ])
    const sheets = {
      Notes: sheetOf([['x']]),
      People: `${people}<row r="9"><c r="B9" t="str"><v>no</v></c></row>`,
    }
    const file = workbookOf({ sheets })
    const upload = await uploaded(me, file, { entity_type: 'contact', sheet: 'People' })
    expect(upload).toMatchObject({
      format: 'xlsx',
      sheet: 'People',
      has_header: true,
      total_rows: 2,
      mapping: { Name: 'full_name', Email: 'email' },
      warnings: [{ column: null, code: 'sheets_left_out' }],
    })
    const changed = await me.put(`/api/imports/${upload.id}`, { options: { duplicate_strategy: 'update' } })
    expect(changed.body.warnings).toEqual(upload.warnings)
    const run = await done(me, upload.id, 'start')
    expect(run).toMatchObject({ created_count: 1, error_count: 1 })
    expect(await errorsOf(me, run.id)).toMatchObject([{ row: 9, column: 'Email', value: 'no' }])
    expect((await me.get(`/api/imports/${run.id}/errors.csv`)).text).toContain('\r\n,no,9,')
  })

  it('imports cards, whose errors have the numbers of the cards', async () => {
    const me = await account()
    const card = (...lines: string[]) =>
      ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')
    const file =
      card(
        'UID:u-1',
        'N:Lee;Ann;;;',
        'ORG:Acme',
        'TITLE:CTO',
        'EMAIL;TYPE=HOME:ann@home.example',
        'EMAIL;TYPE=WORK,PREF:ann@acme.example',
        'TEL;TYPE=CELL:+49 170 1234567',
        'ADR;TYPE=HOME:;;Home St 1;Bonn;;;',
        'ADR;TYPE=WORK:;;Work St 2;Berlin;;10115;Germany',
        'X-FOO:bar',
      ) + card('N:Bad;Bo;;;', 'EMAIL:not an address')
    const upload = await uploaded(me, file, { entity_type: 'contact' })
    expect(upload.format).toBe('vcard')
    expect(upload.options).toMatchObject({ profile: 'vcard', source: 'vcard' })
    const left = upload.warnings.map((warning: { column: string }) => warning.column)
    expect(left).toEqual(expect.arrayContaining(['X-Foo', 'Address 2 - Street', 'Address 2 - City']))
    expect(left).not.toContain('Address 1 - Street')
    const run = await done(me, upload.id, 'start')
    expect(run).toMatchObject({ created_count: 1, error_count: 1 })
    expect(await errorsOf(me, run.id)).toMatchObject([{ row: 2, column: 'Email 1 - Value' }])
    expect((await me.get('/api/contacts')).body.items).toMatchObject([
      {
        full_name: 'Ann Lee',
        job_title: 'CTO',
        email: 'ann@acme.example',
        city: 'Berlin',
        address: 'Work St 2',
        company_ids: [{ name: 'Acme' }],
        external_ids: { vcard: 'u-1' },
        emails: [
          { email: 'ann@acme.example', type: 'work', is_primary: true },
          { email: 'ann@home.example', type: 'home', is_primary: false },
        ],
        phones: [{ type: 'mobile', is_primary: true }],
      },
    ])
    const again = await imported(me, file, { entity_type: 'contact' })
    expect(again).toMatchObject({ created_count: 0, skipped_count: 1, error_count: 1 })
  })

  it('reads back what a JSON export writes', async () => {
    const me = await account()
    const company = await me.create('/api/companies', { name: 'Acme' })
    await me.create('/api/custom-fields', { entity_type: 'contact', name: 'Score', field_type: 'number' })
    const before = await me.create('/api/contacts', {
      first_name: '=Ann',
      emails: [
        { email: 'a@x.example', type: 'work', is_primary: true },
        { email: 'b@x.example', type: 'home', is_primary: false },
      ],
      categories: ['a, b', 'c'],
      company_ids: [company.id],
      metadata: { score: 5, free: { deep: [1] } },
      description: ' two\nlines ',
    })
    const text = await exportedText(me, { entity_type: 'contact', format: 'json' })
    await me.delete(`/api/contacts/${before.id}`)
    const file = text.replaceAll(before.id, crypto.randomUUID())
    const run = await imported(me, file, { entity_type: 'contact' })
    expect(run).toMatchObject({ format: 'json', created_count: 1, error_count: 0, warning_count: 0 })
    const [after] = (await me.get('/api/contacts')).body.items
    const { id: _, ...same } = before
    expect(after).toMatchObject({ ...same, updated_at: expect.any(String) })
  })

  it.each([
    ['a sheet of a CSV file', 'Name\nAnn', { sheet: 'x' }, 422, 'sheet'],
    ['a sheet of JSON', '[{"name":"Ann"}]', { sheet: 'x' }, 422, 'sheet'],
    ['JSON without headings', '[{"name":"Ann"}]', { has_header: 'false' }, 422, 'has_header'],
    ['broken JSON', '[{"name":}]', {}, 422, 'file'],
    ['JSON of other things', '[1]', {}, 422, 'file'],
    ['half a card', 'BEGIN:VCARD\nFN:x', {}, 422, 'file'],
  ])('refuses %s and keeps no file', async (_, file, fields, status, part) => {
    const me = await account()
    const form = formOf(file, { entity_type: 'contact', ...fields }, 'people.json')
    const answer = await me.post('/api/imports', form)
    expect(answer, answer.text).toMatchObject({ status, body: { detail: [{ loc: ['body', part] }] } })
  })

  it('refuses another layout for a file that is no CSV', async () => {
    const me = await account()
    const json = await uploaded(me, '[{"first_name":"Ann"}]', { entity_type: 'contact' })
    for (const change of [{ encoding: 'utf-16le' }, { delimiter: ';' }, { has_header: false }]) {
      const [name] = Object.keys(change)
      expect((await me.put(`/api/imports/${json.id}`, change)).body).toMatchObject({
        detail: [{ loc: ['body', name], msg: expect.stringContaining('only CSV files have this choice') }],
      })
    }
    const file = workbookOf({ sheets: { One: sheetOf([['Ann'], ['Bo']]) } })
    const sheet = await uploaded(me, file, { entity_type: 'contact' })
    const changed = await me.put(`/api/imports/${sheet.id}`, { has_header: false })
    expect(changed.body).toMatchObject({ has_header: false, total_rows: 2 })
    expect((await me.put(`/api/imports/${sheet.id}`, { delimiter: ';' })).status).toBe(422)
  })
})
