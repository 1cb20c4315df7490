/** Files of each format → the table that is imported. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { vcard } from '../../../../resources/contacts/vcard.ts'
import { restored } from '../../exports/csv-text.ts'
import { csvParser } from '../csv-parser.ts'
import { encodingSniffer } from '../encoding.ts'
import { detectFormat } from './detect.ts'
import { convert } from './index.ts'
import { STYLE, sheetOf, workbookOf, zipOf } from './workbook.testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'kith-formats-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limit = (bytes: number) => ({ bytes, exceeded: () => new Error('too large') as never })

async function tableOf(file: string | Buffer, sheet?: string, bytes = 1_000_000) {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  writeFileSync(from, file)
  const sniffer = encodingSniffer()
  sniffer.push(Buffer.from(file))
  const encoding = sniffer.result()
  const format = detectFormat(Buffer.from(file).subarray(0, 4096), encoding, 'file')
  if (format === 'csv') throw new Error('this is CSV')
  const { notices } = await convert(format, from, to, encoding, sheet, limit(bytes))
  const parser = csvParser(',')
  const rows = [...parser.push(readFileSync(to, 'utf8')), ...parser.end()]
  return { rows: rows.map(({ row, cells }) => [row, ...cells.map(restored)]), notices }
}

/** Heading → cell of the first record. */
async function recordOf(file: string | Buffer): Promise<Record<string, unknown>> {
  const [head = [], first = []] = (await tableOf(file)).rows
  return Object.fromEntries(
    head
      .slice(1)
      .map((heading, i) => [heading, first[i + 1]])
      .filter(([, cell]) => cell !== ''),
  )
}

describe('JSON', () => {
  it.each([
    ['an array', '[{"a":"x","b":1},{"b":true,"c":null}]'],
    ['records in an object', ' {"records" : [ {"a":"x","b":1} , {"b":true,"c":null} ], "total": 2}'],
    ['an object per line', '{"a":"x","b":1}\n{"b":true,"c":null}\n'],
    ['a byte order mark', '\ufeff[{"a":"x","b":1},{"b":true,"c":null}]'],
  ])('reads %s', async (_, file) => {
    expect((await tableOf(file)).rows).toEqual([
      [1, 'a', 'b', 'c'],
      [2, 'x', '1', ''],
      [3, '', 'true', ''],
    ])
  })

  it('flattens objects, keeps lists and objects of fields as JSON, and references as ids', async () => {
    const file = JSON.stringify([
      {
        name: '=1, "x"\n]}',
        address: { city: 'Oslo', geo: { lat: 59.9 } },
        tags: ['a', 'b'],
        phones: [{ phone: '1', type: 'home' }],
        contact_ids: [{ id: 'i1', name: 'Ann' }],
        metadata: { x: { y: 1 } },
        'cf.z': { q: 1 },
        none: [],
      },
    ])
    expect(await recordOf(file)).toEqual({
      name: '=1, "x"\n]}',
      'address.city': 'Oslo',
      'address.geo.lat': '59.9',
      tags: '["a","b"]',
      phones: '[{"phone":"1","type":"home"}]',
      contact_ids: '["i1"]',
      metadata: '{"x":{"y":1}}',
      'cf.z': '{"q":1}',
    })
  })

  it.each([
    ['[{"a":1},5]', 'record 2 is not an object: an array of objects is read here'],
    ['[{"a":1}', 'the JSON ends before record 1 and its array are closed'],
    ['{"a":1}\n{"a":', 'the JSON ends before record 2 and its array are closed'],
    ['[{"a":1},{"a":x}]', /^record 2 is not valid JSON/],
    ['[]', 'the file has no records'],
    ['[{}]', 'the records of the file are empty'],
    ['{"total":1,"records":[{"a":1}]}', 'write {"records": [...]} with "records" as the first key'],
    ['[{"id":12345678901234567890}]', /“id” has too many digits for a number/],
    ['[{"a":"\\ud800"}]', /has half a character/],
    ['[{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}]', /nested deeper than 5 levels at “a.b.c.d.e”/],
    ['[{"a.b":1,"a":{"b":2}}]', /“a.b” twice/],
    [`[{"a":"${'x'.repeat(1_000_001)}"}]`, /longer than 1000000 characters/],
    [`[{${Array.from({ length: 1001 }, (_, i) => `"k${i}":1`)}}]`, 'the file has more than 1000 columns'],
  ])('refuses %#', async (file, message) => {
    await expect(tableOf(file)).rejects.toThrow(message)
  })

  it('cuts records wherever the file is cut', async () => {
    const records = Array.from({ length: 3000 }, (_, i) => ({ n: i, text: `${i} "{[\\ €`.repeat(i % 40) }))
    const { rows } = await tableOf(JSON.stringify(records), undefined, 10_000_000)
    expect(rows.slice(1).map(row => row[2])).toEqual(records.map(({ text }) => text))
  })

  it('refuses a table that is larger than an upload may be', async () => {
    await expect(tableOf('[{"a":"x"}]', undefined, 3)).rejects.toThrow('too large')
  })
})

describe('vCard', () => {
  it('reads what a contact of ours is written as', async () => {
    const card = vcard({
      id: '0190a000-0000-7000-8000-000000000001',
      full_name: 'Ann Lee',
      first_name: 'Ann',
      last_name: 'Lee; Smith',
      job_title: 'Head of Sales, EMEA',
      department: 'Sales',
      email: 'ann@x.example',
      phones: [
        { phone: '+49 1', type: 'mobile', is_primary: false },
        { phone: '+49 2', type: 'home', is_primary: true },
      ],
      address: '1 Main St\nFloor 2',
      city: 'Berlin',
      postal_code: '10115',
      birthday: '1990-05-01',
      categories: ['a', 'b, c'],
      description: `long ${'ä text '.repeat(60)}`,
      linkedin_url: 'https://linkedin.example/ann',
      updated_at: '2026-01-01T00:00:00Z',
    } as never)
    expect(await recordOf(card)).toEqual({
      'vCard UID': 'urn:uuid:0190a000-0000-7000-8000-000000000001',
      Name: 'Ann Lee',
      'First Name': 'Ann',
      'Last Name': 'Lee; Smith',
      Department: 'Sales',
      'Job Title': 'Head of Sales, EMEA',
      'Email 1 - Value': 'ann@x.example',
      'Email 1 - Label': 'Work',
      'Phone 1 - Value': '+49 2',
      'Phone 1 - Label': 'Home',
      'Phone 2 - Value': '+49 1',
      'Phone 2 - Label': 'Mobile',
      'Address 1 - Street': '1 Main St\nFloor 2',
      'Address 1 - City': 'Berlin',
      'Address 1 - Postal Code': '10115',
      'Address 1 - Label': 'Work',
      Birthday: '1990-05-01',
      Categories: '["a","b, c"]',
      LinkedIn: 'https://linkedin.example/ann',
      Description: `long ${'ä text '.repeat(60)}`,
    })
  })

  it('reads 4.0, groups with labels, and what has no field', async () => {
    const card = [
      'begin:vcard',
      'VERSION:4.0',
      'FN:Bo',
      'EMAIL;TYPE=home;PREF=2:home@x.example',
      'item1.EMAIL;PREF=1:bo@x.example',
      'item1.X-ABLabel:_$!<Work>!$_',
      'TEL;VALUE=uri;TYPE="voice,cell":tel:+1-555',
      'ORG:Acme\\, Inc.;R&D;Lab',
      'BDAY:19900501',
      'PHOTO:data:image/png;base64,AAAA',
      ' BBBB',
      'X-CUSTOM;X-P="a;b:c":v',
      'NOTE:a\\nb',
      'NOTE:second',
      'END:VCARD',
    ].join('\n')
    expect(await recordOf(card)).toEqual({
      Name: 'Bo',
      'Email 1 - Value': 'bo@x.example',
      'Email 1 - Label': 'Work',
      'Email 2 - Value': 'home@x.example',
      'Email 2 - Label': 'Home',
      'Phone 1 - Value': '+1-555',
      'Phone 1 - Label': 'Mobile',
      Company: 'Acme, Inc.',
      Department: 'R&D',
      Unit: 'Lab',
      Birthday: '1990-05-01',
      'Photo (binary)': '30 characters of Base64',
      'X-Custom': 'v',
      Description: 'a\nb',
      'Description 2': 'second',
    })
  })

  it('reads quoted-printable and bare types of 2.1', async () => {
    const card =
      'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\r\nller;J=C3=B6rg;;;\r\nTEL;CELL:123456\r\nPHOTO;JPEG;ENCODING=BASE64:/9j/\r\n 4AAQ\r\n\r\nEND:VCARD\r\n'
    expect(await recordOf(card)).toEqual({
      'Last Name': 'Müller',
      'First Name': 'Jörg',
      'Phone 1 - Value': '123456',
      'Phone 1 - Label': 'Mobile',
      'Photo (binary)': '8 characters of Base64',
    })
  })

  it.each([
    ['BEGIN:VCARD\nFN:A\n', 'card 1 has no END:VCARD'],
    ['BEGIN:VCARD\nFN:A\nEND:VCARD\nBEGIN:VCARD\nBEGIN:VCARD', 'card 2 has no END:VCARD'],
    ['BEGIN:VCARD\nFN:A\nEND:VCARD\nFN:B\n', 'before card 2 there is a line outside of a card: “FN”'],
    ['BEGIN:VCARD\nno property\nEND:VCARD\n', 'card 1 has a line that is no property: “no property”'],
    [
      'BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:=FF\nEND:VCARD\n',
      'card 1: FN is not text in utf-8: export the cards as vCard 3.0 or 4.0',
    ],
    [`BEGIN:VCARD\nFN:${'x'.repeat(1_100_000)}\nEND:VCARD\n`, /longer than 1000000 characters/],
  ])('refuses %#', async (file, message) => {
    await expect(tableOf(file)).rejects.toThrow(message)
  })
})

describe('XLSX', () => {
  it('reads texts, numbers, dates and formulas by what they show', async () => {
    const cell = (ref: string, value: string, style = 0, type = 'n') =>
      `<c r="${ref}" s="${style}" t="${type}"><v>${value}</v></c>`
    const rows = [
      `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row>`,
      `<row r="4">${cell('A4', '45000', STYLE.date)}${cell('B4', '45000.5', STYLE.dateTime)}${cell('C4', '1067', STYLE.zeros)}${cell('D4', '0.25', STYLE.percent)}</row>`,
      `<row r="5">${cell('A5', '59', STYLE.ownDate)}${cell('B5', '1234.5', STYLE.money)}${cell('C5', '0.30000000000000004')}${cell('D5', '0.75', STYLE.time)}</row>`,
      `<row r="6">${cell('A6', '1', 0, 'b')}<c r="B6" t="str"><f>"x"&amp;"y"</f><v>xy</v></c>${cell('C6', '#N/A', 0, 'e')}${cell('D6', '2026-01-31', 0, 'd')}</row>`,
      `<row r="7"><c r="B7" t="inlineStr"><is><r><t>a </t></r><r><t>&lt;b&gt; _x000A_c</t></r><rPh><t>no</t></rPh></is></c><c r="D7" s="1"/></row>`,
      `<row r="8"><c r="A8"><v>4.9171E+11</v></c></row>`,
    ].join('')
    const shared = [
      '<si><t xml:space="preserve">When </t></si>',
      '<si><r><t>Zip</t></r><r><t> code</t></r></si>',
    ]
    const { rows: read, notices } = await tableOf(workbookOf({ sheets: { One: rows }, shared }))
    expect(read).toEqual([
      [2, 'When ', '', 'Zip code'],
      [4, '2023-03-15', '2023-03-15 12:00:00', '01067', '25%'],
      [5, '1900-02-28', '1234.5', '0.3', '18:00:00'],
      [6, 'true', 'xy', '#N/A', '2026-01-31'],
      [7, '', 'a <b> \nc'],
      [8, '491710000000'],
    ])
    expect(notices).toEqual([])
  })

  it('counts days from 1904 where the workbook does', async () => {
    const rows = `<row r="1"><c r="A1" s="1"><v>1</v></c></row>`
    const file = workbookOf({ sheets: { One: rows }, workbook: '<workbookPr date1904="1"/>' })
    expect((await tableOf(file)).rows).toEqual([[1, '1904-01-02']])
  })

  it('takes the first visible sheet, or the one that is named, and says which it leaves', async () => {
    const sheets = { Hidden: sheetOf([['h']]), One: sheetOf([['1']]), Two: sheetOf([['2']]) }
    const file = workbookOf({ sheets, hidden: 'Hidden' })
    const first = await tableOf(file)
    expect(first.rows).toEqual([[1, '1']])
    expect(first.notices).toEqual([
      {
        column: null,
        code: 'sheets_left_out',
        message: 'Only the sheet “One” is imported: upload the file again with sheet for “Hidden”, “Two”',
      },
    ])
    expect((await tableOf(file, ' two ')).rows).toEqual([[1, '2']])
    await expect(tableOf(file, 'three')).rejects.toMatchObject({
      detail: [{ loc: ['body', 'sheet'], msg: expect.stringContaining('take one of Hidden, One, Two') }],
    })
  })

  it('says that formulas have no value', async () => {
    const rows = '<row><c><f>1+1</f></c><c t="str"><f>""</f><v></v></c><c><v>1</v></c></row>'
    const { notices } = await tableOf(workbookOf({ sheets: { One: rows } }))
    expect(notices).toMatchObject([
      { code: 'formulas_without_value', message: expect.stringMatching(/^1 cells/) },
    ])
  })

  const bomb = `<row><c t="inlineStr"><is><t>${' '.repeat(20_000_000)}</t></is></c></row>`
  it.each([
    ['another zip file', zipOf({ 'a.txt': 'x' }), 'This zip file is not an XLSX workbook'],
    ['half a file', workbookOf({ sheets: { One: sheetOf([['x']]) } }).subarray(0, 400), 'damaged'],
    ['an empty sheet', workbookOf({ sheets: { One: '' } }), 'the sheet is empty'],
    [
      'a cell without its text',
      workbookOf({ sheets: { One: '<row><c t="s"><v>5</v></c></row>' } }),
      /names a text/,
    ],
    [
      'a column too far',
      workbookOf({ sheets: { One: '<row><c r="XFD1"><v>5</v></c></row>' } }),
      'more than 1000 columns',
    ],
    [
      'a row too far',
      workbookOf({ sheets: { One: '<row r="9000000"><c r="A1"><v>5</v></c></row>' } }),
      'more than 5000000 rows',
    ],
    [
      'rows out of order',
      workbookOf({ sheets: { One: '<row r="2"><c><v>5</v></c></row><row r="1"><c><v>5</v></c></row>' } }),
      'out of order',
    ],
    ['a cell that is too long', workbookOf({ sheets: { One: bomb } }), 'longer than 1000000 characters'],
    [
      'a bomb outside of cells',
      workbookOf({ sheets: { One: `<x>${' '.repeat(20_000_000)}</x>` } }),
      /inflates to more than 200 times/,
    ],
    [
      'a tag without an end',
      workbookOf({ sheets: { One: `<x a="${'1 2 3 4 5 6'.repeat(200_000)}` } }),
      'without an end',
    ],
    ['Excel 97', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'save it as XLSX without a password'],
  ])('refuses %s', async (_, file, message) => {
    await expect(tableOf(file)).rejects.toThrow(message)
  })

  it('reads entries that are not compressed, and names with a prefix', async () => {
    const file = zipOf(
      {
        '_rels/.rels':
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/book.xml"/></Relationships>',
        'book.xml': '<x:workbook xmlns:x="x"><x:sheets><x:sheet name="S" d:id="q"/></x:sheets></x:workbook>',
        '_rels/book.xml.rels':
          '<Relationships><Relationship Id="q" Type="x/worksheet" Target="./s.xml"/></Relationships>',
        's.xml':
          '<x:worksheet><x:sheetData><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      },
      0,
    )
    expect((await tableOf(file)).rows).toEqual([[1, '7']])
  })
})
