/** What the errors and warnings of rows say: which column it is, and what to write instead. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { errorsOf, imported, warningsOf } from './testing.ts'

const columnsOf = (items: { column: string | null; message: string }[]) =>
  items.map(({ column, message }) => [column, message])

onAnyEngine('messages of an import', account => {
  it('name the column that is required, and what a yes or no is', async () => {
    const me = await account()
    const nameless = await imported(me, 'city,phone\nGraz,0711 12345\n', { entity_type: 'company' })
    expect(columnsOf(await errorsOf(me, nameless.id))).toEqual([
      [null, 'Field required: map a column to name'],
    ])
    const empty = await imported(me, 'name,city\n,Graz\n', { entity_type: 'company' })
    expect(columnsOf(await errorsOf(me, empty.id))).toEqual([
      ['name', 'Field required: this cell has no value'],
    ])
    const unclear = await imported(me, 'first_name,do_not_contact\nAnn,perhaps\nBob,nein\n', {
      entity_type: 'contact',
    })
    expect(columnsOf(await errorsOf(me, unclear.id))).toEqual([
      [
        'do_not_contact',
        '“perhaps” is neither yes nor no: write yes or no (true and false, 1 and 0, ja and nein are read, too)',
      ],
    ])
  })

  it('say how to write a currency, and signs of one are read', async () => {
    const me = await account()
    const words = ['€', 'Euro', '$', 'Dollar', '£', 'chf', 'Schweizer Franken', 'kr', 'Taler', 'XYZ']
    const rows = words.map((word, i) => `${i},10,${word}`)
    const result = await imported(me, `name,amount,Währung\n${rows.join('\n')}\n`, { entity_type: 'deal' })
    const { items } = (await me.get('/api/deals?sort_by=name&sort_order=asc')).body
    expect(items.map(({ currency }: { currency: string }) => currency)).toEqual([
      ...['EUR', 'EUR', 'USD', 'USD', 'GBP', 'CHF', 'CHF'],
    ])
    const how = 'write the code of three letters, such as EUR'
    expect(columnsOf(await errorsOf(me, result.id))).toEqual([
      ['Währung', `“kr” may be several currencies: ${how}`],
      ['Währung', `“Taler” is no currency: ${how}`],
      ['Währung', `“XYZ” is no currency: ${how}`],
    ])
  })

  it('say that a birthday has no year, and two digits of one are of a year that has passed', async () => {
    const me = await account()
    const file = 'first_name,birthday\nAnn,--05-17\nBob,31.12.29\nCid,01.02.03\n'
    const result = await imported(me, file, { entity_type: 'contact' })
    expect(columnsOf(await warningsOf(me, result.id))).toEqual([
      ['birthday', '“--05-17” has no year, so it is left out: write the whole date, as 1980-01-31'],
    ])
    const { items } = (await me.get('/api/contacts?sort_by=first_name&sort_order=asc')).body
    const century = new Date().getUTCFullYear() < 2030 ? '19' : '20'
    expect(items.map(({ birthday }: { birthday: string | null }) => birthday)).toEqual([
      ...[null, `${century}29-12-31`, '2003-02-01'],
    ])
  })
})
