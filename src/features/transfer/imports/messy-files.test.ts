/** Files as people keep them: titles above the headings, several addresses in a cell, dates that are none. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { done, errorsOf, imported, uploaded } from './testing.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

onAnyEngine('messy files', account => {
  it.each([
    ['cells that are merged', 'Kundenliste Stand 17.11.2026;;;;;\r\n;;;;;\r\n', 3],
    ['lines of text', 'Kundenliste\r\nStand 17.11.2026\r\n\r\n', 4],
    ['groups of columns', 'Firma;;;Kontakt;;\r\n', 2],
    ['nothing', '', 1],
  ])('finds the headings below %s', async (_, above, heading) => {
    const me = await account()
    const file = latin(
      `${above}Firma;Straße;Ort;Telefon;Mitarbeiter;Bemerkung\r\n` +
        'Bäcker GmbH;Königstr. 1;München;089/123456;1.200;sagt "hallo"\r\n' +
        'Groß & Söhne;;Köln;;ca. 50;\r\n',
    )
    const upload = await uploaded(me, file, { entity_type: 'company' })
    expect(upload).toMatchObject({ encoding: 'windows-1252', delimiter: ';', total_rows: 2 })
    expect(upload.mapping).toEqual({
      ...{ Firma: 'name', Straße: 'address', Ort: 'city', Telefon: 'phone' },
      ...{ Mitarbeiter: 'employee_count', Bemerkung: 'notes' },
    })
    const dry = await done(me, upload.id, 'validate')
    const result = await done(me, upload.id, 'start')
    for (const counts of [dry, result]) expect(counts).toMatchObject({ created_count: 1, error_count: 1 })
    expect(await errorsOf(me, upload.id)).toMatchObject([{ row: heading + 2, column: 'Mitarbeiter' }])
    const failed = (await me.get(`/api/imports/${upload.id}/errors.csv`)).text
    expect(failed).toContain('Groß & Söhne')
    expect(failed).not.toContain('Bäcker')
    expect((await me.get('/api/companies')).body.items).toMatchObject([
      { name: 'Bäcker GmbH', employee_count: 1200, city: 'München', notes: 'sagt "hallo"' },
    ])
    expect(await done(me, upload.id, 'revert')).toMatchObject({ status: 'reverted', reverted_count: 1 })
  })

  it.each([
    ['a first record with few values', 'name,city,phone,email\nAcme,,,\nBeta,Graz,1,b@beta.example\n', 2],
    ['a table of two columns', 'name,city\nAcme,\nBeta,Graz\n', 2],
    ['a wide record below narrow ones', 'name\nAcme\nBeta,Graz,12,13\n', 1],
  ])('takes %s for what it is', async (_, text, created_count) => {
    const me = await account()
    expect(await imported(me, text, { entity_type: 'company' })).toMatchObject({ created_count })
  })

  it('leaves the first row in where the file has no headings', async () => {
    const me = await account()
    const result = await imported(me, 'Acme,,,\nBeta,Graz,AT,x\nGamma,Wien,AT,y\n', {
      ...{ entity_type: 'company', has_header: false, mapping: { 'Column 1': 'name' } },
    })
    expect(result).toMatchObject({ created_count: 3 })
  })

  it.each(['0/0/00', '00.00.0000', '0000-00-00', '0000-00-00 00:00:00', '--03-14'])(
    'reads %s as no date',
    async cell => {
      const me = await account()
      const file = `first_name,birthday,created_at\nAnn,${cell},${cell.startsWith('-') ? '' : cell}\n`
      expect(await imported(me, file, { entity_type: 'contact' })).toMatchObject({
        ...{ created_count: 1, error_count: 0 },
      })
      expect((await me.get('/api/contacts')).body.items[0]).toMatchObject({ birthday: null })
    },
  )

  it('takes names that repeat for headings, and knows those of German files', async () => {
    const me = await account()
    const twice = await uploaded(
      me,
      'Name,Email,Email,Phone,Phone\nAnn Lee,a@x.example,b@x.example,0711 12345,0171 12345\n',
      {
        entity_type: 'contact',
      },
    )
    expect(twice).toMatchObject({ has_header: true, total_rows: 1 })
    expect(Object.values(twice.mapping)).toEqual(['full_name', 'email', 'emails', 'phone', 'phones'])
    const deals = await uploaded(
      me,
      'Bezeichnung;Betrag;Währung;Erstellt am\nA;1,50;EUR;01.02.2026 14:30\n',
      {
        entity_type: 'deal',
      },
    )
    expect(Object.values(deals.mapping)).toEqual(['name', 'amount', 'currency', 'created_at'])
    const firms = await uploaded(me, 'Firma;Jahresumsatz\nA;1.234,50\n', { entity_type: 'company' })
    expect(Object.values(firms.mapping)).toEqual(['name', 'annual_revenue'])
  })
})
