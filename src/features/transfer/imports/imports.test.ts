import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { waitFor } from '../../../../test/support/process.ts'
import { type Account, anotherMember, onAnyEngine } from '../../../../test/support/service.ts'
import { done, errorsOf, formOf, imported, uploaded } from './testing.ts'

const filesOf = (account: Account) => {
  try {
    return readdirSync(join(account.service.services.config.files.dir, account.accountId))
  } catch {
    return []
  }
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`

onAnyEngine('imports', account => {
  it('detects the layout of a file and proposes a mapping', async () => {
    const me = await account()
    const file = Buffer.from(
      lines(
        'Vorname;Nachname;E-Mail;Firma;Geburtsdatum;Umsatz',
        'Jürgen;Müller;j@example.com;Müller AG;31.12.1980;1.234,50',
      ),
      'latin1',
    )
    const found = await uploaded(me, file, { entity_type: 'contact' })
    expect(found).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ';',
      has_header: true,
      status: 'uploaded',
      total_rows: 1,
      file_size: file.length,
      file_name: 'people.csv',
      mapping: {
        Vorname: 'first_name',
        Nachname: 'last_name',
        'E-Mail': 'email',
        Firma: 'company_name',
        Geburtsdatum: 'birthday',
        Umsatz: null,
      },
    })
    expect(found.columns[4]).toEqual({
      index: 4,
      header: 'Geburtsdatum',
      samples: ['31.12.1980'],
      values: ['31.12.1980'],
      suggested_field: 'birthday',
      inferred_type: 'date',
      value_type: 'date',
      date_format: 'DD/MM/YYYY',
      date_format_from: 'values',
      ambiguous_date: null,
      shares: null,
      decimal_separator: null,
    })
    expect(found.columns[5]).toMatchObject({ inferred_type: 'number', decimal_separator: ',' })
  })

  it('reads the names that people write over their columns', async () => {
    const me = await account()
    const file = lines('Name,Firm,Phone No.,Mobile No.', 'Lena Ostrow,Brightwater,+49 30 1,+49 170 2')
    expect((await uploaded(me, file, { entity_type: 'contact' })).mapping).toEqual({
      Name: 'full_name',
      Firm: 'company_name',
      'Phone No.': 'phone',
      'Mobile No.': 'phones',
    })
    const companies = await uploaded(me, lines('Firm,Phone No.', 'Acme,1'), { entity_type: 'company' })
    expect(companies.mapping).toEqual({ Firm: 'name', 'Phone No.': 'phone' })
  })

  it('is a condition of queries: the records that it created and changed', async () => {
    const me = await account()
    await me.post('/api/contacts', { first_name: 'Ada', last_name: 'Other' })
    const { operation_id } = await imported(me, lines('Name,Firm', 'Lena Ostrow,Brightwater'), {
      entity_type: 'contact',
    })
    const where = { field: 'operation_id', value: operation_id }
    for (const [group, name] of [
      ['contacts', { last_name: 'Ostrow' }],
      ['companies', { name: 'Brightwater' }],
    ] as const)
      expect((await me.post(`/api/${group}/query`, { where })).body).toMatchObject({
        total: 1,
        items: [name],
      })
    const none = { ...where, value: '0190a000-0000-7000-8000-000000000000' }
    expect((await me.post('/api/contacts/query', { where: none })).body).toMatchObject({ total: 0 })
    for (const wrong of [
      { ...where, op: 'in', value: [operation_id] },
      { ...where, value: 'x' },
    ])
      expect((await me.post('/api/contacts/query', { where: wrong })).status).toBe(422)
  })

  it('says that the file is gone after the import was deleted and restored', async () => {
    const me = await account()
    const { id } = await uploaded(me, lines('name', 'Acme'), { entity_type: 'company' })
    await me.delete(`/api/imports/${id}`)
    await me.post(`/api/imports/${id}/restore`)
    for (const what of ['preview', 'errors.csv'])
      expect(await me.get(`/api/imports/${id}/${what}`)).toMatchObject({
        status: 409,
        body: { detail: 'The file of this import is no longer stored' },
      })
    expect(await me.put(`/api/imports/${id}`, { delimiter: ';' })).toMatchObject({ status: 409 })
  })

  it('imports contacts with their companies, found or created', async () => {
    const me = await account()
    const acme = await me.create('/api/companies', { name: 'ACME' })
    const file = lines(
      'first_name,last_name,email,company_name,birthday,categories,do_not_contact',
      'Ann,Lee,ann@example.com,Acme,1990-05-06,vip; friend,yes',
      'Bob,,bob@example.com,New Co,,,no',
      'Cid,,cid@example.com,NEW CO,,,',
    )
    const result = await imported(me, file, { entity_type: 'contact' })
    expect(result).toMatchObject({
      status: 'completed',
      total_rows: 3,
      processed_rows: 3,
      created_count: 3,
      updated_count: 0,
      skipped_count: 0,
      error_count: 0,
    })
    const people = (await me.get('/api/contacts?sort_by=first_name&sort_order=asc')).body.items
    expect(people).toMatchObject([
      {
        full_name: 'Ann Lee',
        company_id: acme.id,
        company_ids: [{ id: acme.id, name: 'ACME' }],
        birthday: '1990-05-06',
        categories: ['vip', 'friend'],
        do_not_contact: true,
        created_by: me.userId,
      },
      { first_name: 'Bob', company_ids: [{ name: 'New Co' }], do_not_contact: false },
      { first_name: 'Cid', company_ids: [{ name: 'New Co' }] },
    ])
    expect((await me.get('/api/companies')).body.total).toBe(2)
    expect((await me.get('/api/categories')).body.total).toBe(2)
  })

  it('reports the rows that fail, imports the rest, and imports the corrected rows', async () => {
    const me = await account()
    const file = lines(
      'Name,Email,Age,Born',
      'Ann,ann@example.com,30,1990-01-01',
      'Bob,not an address,x,1990-02-30',
      '"=Cid",cid@example.com,31,',
      ',,5,',
      'Dan,dan@example.com,32,,extra',
    )
    await me.create('/api/custom-fields', { entity_type: 'contact', name: 'Age', field_type: 'number' })
    const result = await imported(me, file, {
      entity_type: 'contact',
      mapping: { Name: 'first_name', Email: 'email', Age: 'cf.age', Born: 'birthday' },
    })
    expect(result).toMatchObject({ status: 'completed', created_count: 2, error_count: 3, processed_rows: 5 })
    const errors = await errorsOf(me, result.id)
    expect(errors.map((e: Record<string, unknown>) => [e.row, e.column, e.field, e.value, e.code])).toEqual([
      [3, 'Age', 'cf.age', 'x', 'not_readable'],
      [3, 'Email', 'email', 'not an address', 'value_error'],
      [3, 'Born', 'birthday', '1990-02-30', 'date_from_datetime_parsing'],
      [5, null, null, null, 'value_error'],
      [6, null, null, 'extra', 'too_many_cells'],
    ])
    const report = await me.get(`/api/imports/${result.id}/errors.csv`)
    expect(report.headers.get('content-disposition')).toContain('people-errors.csv')
    const rows = report.text
      .replace(/^\ufeff/, '')
      .trimEnd()
      .split('\r\n')
    expect(rows[0]).toBe('Name,Email,Age,Born,Import row,Import error')
    expect(rows[1]).toMatch(/^Bob,not an address,x,1990-02-30,3,"?Age: /)
    expect(rows).toHaveLength(4)
    const mended = `${rows[0]}\r\n${rows[1]!.replace('not an address', 'bob@example.com').replace(',x,', ',33,').replace('1990-02-30', '1990-02-28')}\r\n`
    const again = await imported(me, mended, {
      entity_type: 'contact',
      mapping: { Name: 'first_name', Email: 'email', Age: 'cf.age', Born: 'birthday' },
    })
    expect(again).toMatchObject({ created_count: 1, error_count: 0 })
    const bob = (await me.get('/api/contacts?email=bob@example.com')).body.items[0]
    expect(bob).toMatchObject({ first_name: 'Bob', birthday: '1990-02-28', metadata: { age: 33 } })
    const cid = (await me.get('/api/contacts?email=cid@example.com')).body.items[0]
    expect(cid.first_name).toBe('=Cid')
  })

  it('lists the rows that it skips, with the existing record', async () => {
    const me = await account()
    const ann = await me.create('/api/contacts', { first_name: 'Ann', email: 'ann@example.com' })
    const file = lines('First name,Email', 'Bob,bob@example.com', 'Ann,ann@example.com')
    for (const [duplicate_strategy, code] of [
      ['skip', 'skipped'],
      ['update', 'unchanged'],
    ]) {
      const { id } = await uploaded(me, file, { entity_type: 'contact', options: { duplicate_strategy } })
      for (const action of ['validate', 'start'] as const) {
        const { skipped_count, error_count, warning_count } = await done(me, id, action)
        const { body } = await me.get(`/api/imports/${id}/errors?severity=skipped`)
        expect([body.total, error_count, warning_count]).toEqual([skipped_count, 0, 0])
        expect(body.items).toContainEqual({
          ...{ row: 3, column: null, field: 'id', value: ann.id, severity: 'skipped', code },
          message: expect.any(String),
        })
      }
    }
  })

  it.each([
    ['skip', { created: 1, updated: 0, skipped: 2 }, 'Old'],
    ['update', { created: 1, updated: 2, skipped: 0 }, 'Third'],
    ['create', { created: 3, updated: 0, skipped: 0 }, 'Old'],
  ] as const)('deals with duplicates: %s', async (duplicate_strategy, counts, title) => {
    const me = await account()
    const ann = await me.create('/api/contacts', {
      first_name: 'Ann',
      email: 'Ann@Example.com',
      job_title: 'Old',
    })
    const file = lines(
      'first_name,email,job_title',
      'Anna,ann@example.com,New',
      'Zed,zed@example.com,Chief',
      'Anna,ANN@example.com,Third',
    )
    const result = await imported(me, file, { entity_type: 'contact', options: { duplicate_strategy } })
    expect(result).toMatchObject({
      created_count: counts.created,
      updated_count: counts.updated,
      skipped_count: counts.skipped,
    })
    expect((await me.get(`/api/contacts/${ann.id}`)).body.job_title).toBe(title)
  })

  it.each([
    [
      'phone',
      'contact',
      { first_name: 'A', phone: '+43 (1) 234-567' },
      'first_name,phone,city',
      'A,0043 1 234567,Rome',
      true,
    ],
    [
      'phone',
      'contact',
      { first_name: 'A', phone: '+43 (1) 234-567' },
      'first_name,phone,city',
      'A,01/234567,Rome',
      true,
    ],
    [
      'phone',
      'contact',
      { first_name: 'A', phone: '+43 (1) 234-567' },
      'first_name,phone,city',
      'A,+49 1 234567,Rome',
      false,
    ],
    [
      'phone',
      'contact',
      { first_name: 'A', phone: '+43 (1) 234-567' },
      'first_name,phone,city',
      'A,431234567,Rome',
      true,
    ],
    [
      'phone',
      'contact',
      { first_name: 'A', phone: '+7 912 345 67 89' },
      'first_name,phone,city',
      'A,8 (912) 345-67-89,Rome',
      true,
    ],
    [
      'name',
      'contact',
      { first_name: 'Zoë', last_name: 'Lee' },
      'first_name,last_name,city',
      'zoë,LEE,Rome',
      true,
    ],
    [
      'domain',
      'company',
      { name: 'A', domains: ['https://www.acme.com'] },
      'name,domains,city',
      'B,acme.com,Rome',
      true,
    ],
    ['name', 'company', { name: 'Café' }, 'name,city', 'CAFE,Rome', true],
    ['cf.code', 'company', { name: 'A', metadata: { code: 'x1' } }, 'name,cf.code,city', 'B,x1,Rome', true],
    ['cf.size', 'company', { name: 'A', metadata: { size: 5 } }, 'name,cf.size,city', 'B,5.0,Rome', true],
    ['name', 'deal', { name: 'Renewal' }, 'name,description', 'renewal,Rome', true],
  ] as const)('matches on %s of a %s', async (match_on, entity_type, record, head, row, isFound) => {
    const me = await account()
    const group = { contact: 'contacts', company: 'companies', deal: 'deals' }[entity_type]
    await me.create('/api/custom-fields', { entity_type: 'company', name: 'Code', field_type: 'text' })
    await me.create('/api/custom-fields', { entity_type: 'company', name: 'Size', field_type: 'number' })
    const { id } = await me.create(`/api/${group}`, record)
    const options = { duplicate_strategy: 'update', match_on }
    const result = await imported(me, lines(head, row), { entity_type, options })
    expect(result).toMatchObject({
      created_count: isFound ? 0 : 1,
      updated_count: isFound ? 1 : 0,
      error_count: 0,
    })
    const { body } = await me.get(`/api/${group}/${id}`)
    expect(body.city ?? body.description).toBe(isFound ? 'Rome' : null)
  })

  it('reports when several records match, and leaves fields without a column unchanged', async () => {
    const me = await account()
    await me.create('/api/contacts', {
      first_name: 'A',
      email: 'x@example.com',
      city: 'Rome',
      metadata: { free: 1 },
    })
    await me.create('/api/contacts', { first_name: 'B', email: 'y@example.com' })
    await me.create('/api/contacts', { first_name: 'C', email: 'y@example.com' })
    const file = lines(
      'email,city,job_title,cf.other',
      'x@example.com,,Chief,new',
      'y@example.com,,Chief,new',
    )
    const options = { duplicate_strategy: 'update' }
    const result = await imported(me, file, { entity_type: 'contact', options })
    expect(result).toMatchObject({ updated_count: 1, error_count: 1 })
    expect(await errorsOf(me, result.id)).toMatchObject([{ row: 3, code: 'ambiguous_match' }])
    const { items } = (await me.get('/api/contacts?email=x@example.com')).body
    expect(items[0]).toMatchObject({ city: 'Rome', job_title: 'Chief', metadata: { free: 1, other: 'new' } })
    // The same again changes nothing, and is not counted as a change.
    const again = await imported(me, file, { entity_type: 'contact', options })
    expect(again).toMatchObject({ updated_count: 0, skipped_count: 1, error_count: 1 })
    const { updated_at } = (await me.get('/api/contacts?email=x@example.com')).body.items[0]
    expect(updated_at).toBe(items[0].updated_at)
  })

  it('checks every row in a dry run and writes nothing', async () => {
    const me = await account()
    const file = lines(
      'first_name,email,company_name',
      'Ann,ann@example.com,Acme',
      'Bob,bad,Acme',
      'Ann,ann@example.com,Acme',
    )
    const { id } = await uploaded(me, file, { entity_type: 'contact' })
    const checked = await done(me, id, 'validate')
    expect(checked).toMatchObject({ status: 'ready', created_count: 1, skipped_count: 1, error_count: 1 })
    expect(await errorsOf(me, id)).toHaveLength(1)
    for (const group of ['contacts', 'companies', 'categories', 'operations']) {
      expect((await me.get(`/api/${group}`)).body.total).toBe(0)
    }
    const result = await done(me, id, 'start')
    expect(result).toMatchObject({ status: 'completed', created_count: 1, skipped_count: 1, error_count: 1 })
  })

  it('shows how the first rows would be imported', async () => {
    const me = await account()
    const file = lines('first_name,email,company_name', 'Ann,ann@example.com,Acme', 'Bob,bad,', ',,x')
    const { id } = await uploaded(me, file, { entity_type: 'contact' })
    const { body } = await me.get(`/api/imports/${id}/preview?rows=2`)
    expect(body.items).toMatchObject([
      { row: 2, outcome: 'created', values: { first_name: 'Ann', email: 'ann@example.com' }, errors: [] },
      { row: 3, outcome: 'failed', errors: [{ row: 3, column: 'Email'.toLowerCase(), code: 'value_error' }] },
    ])
    expect((await me.get('/api/companies')).body.total).toBe(0)
  })

  it('reverts: created goes to the trash, changed is put back, later work stays', async () => {
    const me = await account()
    const old = await me.create('/api/contacts', {
      first_name: 'Old',
      email: 'old@example.com',
      city: 'Rome',
    })
    const kept = await me.create('/api/contacts', {
      first_name: 'Kept',
      email: 'kept@example.com',
      city: 'Rome',
    })
    const file = lines(
      'first_name,email,city,company_name,categories',
      'Old,old@example.com,Oslo,,',
      'Kept,kept@example.com,Oslo,,',
      'New,new@example.com,Oslo,New Co,fresh',
    )
    const options = { duplicate_strategy: 'update' }
    const result = await imported(me, file, { entity_type: 'contact', options })
    expect(result).toMatchObject({ created_count: 1, updated_count: 2 })
    await me.put(`/api/contacts/${kept.id}`, { city: 'Bern' })
    const back = await done(me, result.id, 'revert')
    expect(back).toMatchObject({
      status: 'reverted',
      conflict_count: 1,
      conflicts: [{ entity_type: 'contacts', entity_id: kept.id, fields: ['city'] }],
    })
    expect((await me.get(`/api/contacts/${old.id}`)).body.city).toBe('Rome')
    expect((await me.get(`/api/contacts/${kept.id}`)).body.city).toBe('Bern')
    expect((await me.get('/api/contacts')).body.total).toBe(2)
    expect((await me.get('/api/contacts?deleted=true')).body.total).toBe(1)
    expect((await me.get('/api/companies')).body.total).toBe(0)
    expect((await me.get('/api/categories')).body.total).toBe(0)
    expect((await me.post(`/api/imports/${result.id}/revert`)).status).toBe(409)
    const { body: operation } = await me.get(`/api/operations/${result.operation_id}`)
    expect(operation).toMatchObject({ kind: 'import', record_count: 3, undone_at: expect.any(String) })
  })

  it('is in the journal as an import', async () => {
    const me = await account()
    const result = await imported(me, lines('first_name', 'Ann'), { entity_type: 'contact' })
    const { id } = (await me.get('/api/contacts')).body.items[0]
    const { body } = await me.get(`/api/contacts/${id}/timeline`)
    expect(JSON.stringify(body.items[0])).toContain('"import"')
    expect(JSON.stringify(body.items[0])).toContain(result.operation_id)
  })

  it('can get another layout before it starts, and not after', async () => {
    const me = await account()
    const { id } = await uploaded(me, lines('Ann|ann@example.com', 'Bob|bob@example.com'), {
      entity_type: 'contact',
    })
    const other = await me.put(`/api/imports/${id}`, { delimiter: ',', has_header: true })
    expect(other.body).toMatchObject({ delimiter: ',', has_header: true, total_rows: 1 })
    const read = await me.put(`/api/imports/${id}`, {
      delimiter: '|',
      has_header: false,
      mapping: { 'Column 1': 'first_name', 'Column 2': 'email' },
      options: { match_on: ['email', 'name'] },
    })
    expect(read.body).toMatchObject({
      total_rows: 2,
      mapping: { 'Column 1': 'first_name', 'Column 2': 'email' },
    })
    const result = await done(me, id, 'start')
    expect(result).toMatchObject({ created_count: 2 })
    expect((await me.put(`/api/imports/${id}`, { has_header: true })).status).toBe(409)
    expect((await me.post(`/api/imports/${id}/start`)).status).toBe(409)
    expect((await me.post(`/api/imports/${id}/validate`)).status).toBe(409)
    expect((await me.post(`/api/imports/${id}/cancel`)).status).toBe(409)
  })

  it.each([
    ['no file', () => new FormData(), 422, ['body', 'file']],
    ['no entity type', () => formOf('a', {}), 422, ['body', 'entity_type']],
    ['another entity type', () => formOf('a', { entity_type: 'planet' }), 422, ['body', 'entity_type']],
    ['an empty file', () => formOf('', { entity_type: 'contact' }), 422, ['body', 'file']],
    [
      'mapping that is no JSON',
      () => formOf('a', { entity_type: 'contact', mapping: '{' }),
      422,
      ['body', 'mapping'],
    ],
    [
      'a column that is not there',
      () => formOf('a', { entity_type: 'contact', mapping: { b: 'email' } }),
      422,
      ['body', 'mapping', 'b'],
    ],
    [
      'a field that is not there',
      () => formOf('a', { entity_type: 'contact', mapping: { a: 'shoe' } }),
      422,
      ['body', 'mapping', 'a'],
    ],
    [
      'a way to match that is not there',
      () => formOf('a', { entity_type: 'contact', options: { match_on: 'shoe' } }),
      422,
      ['body', 'options', 'match_on', 0],
    ],
    [
      'a strange strategy',
      () => formOf('a', { entity_type: 'contact', options: { duplicate_strategy: 'x' } }),
      422,
      ['body', 'options', 'duplicate_strategy'],
    ],
    [
      'a date format without days',
      () => formOf('a', { entity_type: 'contact', options: { date_format: 'YYYY' } }),
      422,
      ['body', 'options', 'date_format'],
    ],
    [
      'an endless quote',
      () => formOf(`a,b\n"${'x'.repeat(1_500_000)}`, { entity_type: 'contact' }),
      422,
      ['body', 'file'],
    ],
    ['an open quote', () => formOf('a,b\n"x', { entity_type: 'contact' }), 422, ['body', 'file']],
    [
      'a million columns',
      () => formOf(','.repeat(1_000_000), { entity_type: 'contact' }),
      422,
      ['body', 'file'],
    ],
    [
      'a record of 50 MB',
      () => formOf('x'.repeat(50_000_000), { entity_type: 'contact' }),
      422,
      ['body', 'file'],
    ],
    [
      'a workbook',
      () => formOf(Buffer.from('PK\x03\x04\0\0\0\0'), { entity_type: 'contact' }),
      415,
      undefined,
    ],
  ] as const)('refuses %s and keeps no file', async (_, form, status, loc) => {
    const me = await account()
    const answer = await me.post('/api/imports', form())
    expect(answer.status, answer.text.slice(0, 300)).toBe(status)
    if (loc) expect(answer.body.detail[0].loc).toEqual(loc)
    expect(filesOf(me)).toEqual([])
    expect((await me.get('/api/imports')).body.total).toBe(0)
  })

  it('refuses a file that is too large and keeps nothing of it', async () => {
    const me = await account()
    const limits = me.service.services.config.files
    const before = limits.importBytes
    limits.importBytes = 100_000
    try {
      const answer = await me.post(
        '/api/imports',
        formOf('x,y\n'.repeat(100_000), { entity_type: 'contact' }),
      )
      expect(answer).toMatchObject({
        status: 413,
        body: { detail: 'The upload is larger than 100000 bytes' },
      })
      expect(filesOf(me)).toEqual([])
      expect((await me.get('/api/imports')).status).toBe(200)
    } finally {
      limits.importBytes = before
    }
  })

  it('refuses JSON instead of an upload, and a key without the scope to write', async () => {
    const me = await account()
    expect((await me.post('/api/imports', { entity_type: 'contact' })).status).toBe(415)
    const narrow = await anotherMember(me, {
      scopes: ['imports:write', 'imports:read', 'companies:*', 'jobs:read'],
    })
    expect((await narrow.post('/api/imports', formOf('first_name', { entity_type: 'contact' }))).status).toBe(
      403,
    )
    expect(filesOf(me)).toEqual([])
    const { id } = await uploaded(me, lines('first_name', 'Ann'), { entity_type: 'contact' })
    expect((await narrow.post(`/api/imports/${id}/start`)).status).toBe(403)
    expect((await imported(narrow, lines('name', 'Acme'), { entity_type: 'company' })).created_count).toBe(1)
    const stranger = await account()
    for (const path of ['', '/errors', '/errors.csv', '/preview']) {
      expect((await stranger.get(`/api/imports/${id}${path}`)).status).toBe(404)
    }
    for (const path of ['/start', '/validate', '/cancel', '/revert']) {
      expect((await stranger.post(`/api/imports/${id}${path}`)).status).toBe(404)
    }
  })

  it('removes the file with the import', async () => {
    const me = await account()
    const { id } = await uploaded(me, lines('first_name', 'Ann'), { entity_type: 'contact' })
    expect(filesOf(me)).toEqual([id])
    expect((await me.delete(`/api/imports/${id}`)).status).toBe(200)
    expect(filesOf(me)).toEqual([])
    expect((await me.get(`/api/imports/${id}`)).status).toBe(404)
  })

  it('offers a template that can be imported', async () => {
    const me = await account()
    await me.create('/api/custom-fields', { entity_type: 'company', name: 'Score', field_type: 'number' })
    const template = await me.get('/api/imports/template/company')
    expect(template.text).toMatch(/^id,created_at,updated_at,name,domains,.*,cf\.score\r\n$/)
    const found = await uploaded(
      me,
      `${template.text}${','.repeat(template.text.split(',').length - 1)}x\r\n`,
      { entity_type: 'company' },
    )
    expect(Object.entries(found.mapping).filter(([header, field]) => header !== field)).toEqual([])
    expect((await me.get('/api/imports/template/planet')).status).toBe(422)
  })

  it('imports deals, activities and notes with links by name', async () => {
    const me = await account()
    const ann = await me.create('/api/contacts', {
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann@example.com',
    })
    const deals = lines(
      'Deal Name,Deal Stage,Amount,Close Date,Associated Company,Associated Contact,Deal owner',
      'Big,proposal,"$1,200.50",12/31/2026,Acme,Ann Lee,Test Person',
      'Lost,Nowhere,5,,,,',
      'Closed,Won,7,,,ann@example.com,',
    )
    const one = await imported(me, deals, { entity_type: 'deal' })
    expect(one).toMatchObject({ created_count: 2, error_count: 1 })
    expect(await errorsOf(me, one.id)).toMatchObject([
      {
        row: 3,
        column: 'Deal Stage',
        value: 'Nowhere',
        code: 'reference_not_found',
        message: 'Stage not found',
      },
    ])
    const big = (await me.get('/api/deals?search=big')).body.items[0]
    expect(big).toMatchObject({
      amount: 1200.5,
      stage: { name: 'Proposal' },
      expected_close_date: '2026-12-31',
      primary_contact_id: ann.id,
      owner_id: me.userId,
      associated_company_ids: [{ name: 'Acme' }],
    })
    const activities = lines(
      'type,subject,due_date,contact_names,deal_names,status',
      'Call,Ring her,2026-01-02,Ann Lee,big,In progress',
      'fax,Send,,,,',
    )
    const two = await imported(me, activities, { entity_type: 'activity' })
    expect(two).toMatchObject({ created_count: 1, error_count: 1 })
    expect((await me.get('/api/activities')).body.items).toMatchObject([
      { type: 'call', status: 'in_progress', contact_ids: [{ id: ann.id }], deal_ids: [{ id: big.id }] },
    ])
    const notes = lines(
      'title,content,contact_names,company_names',
      'Hello,"Two\nlines",ann@example.com,Acme',
      'Bad,x,Nobody,',
    )
    const three = await imported(me, notes, { entity_type: 'note' })
    expect(three).toMatchObject({ created_count: 1, error_count: 1 })
    expect((await me.get('/api/notes')).body.items).toMatchObject([
      {
        content: 'Two\nlines',
        contact_ids: [{ id: ann.id }],
        company_ids: [{ name: 'Acme' }],
        user_id: me.userId,
      },
    ])
  })

  it('stays as far as it was imported when it is cancelled, and can be reverted', async () => {
    const me = await account()
    // several times what is written while the first batch is seen and the request to cancel arrives
    const total = 12_000
    const rows = Array.from({ length: total }, (_, i) => `Person ${i},p${i}@example.com`)
    const { id } = await uploaded(me, lines('first_name,email', ...rows), { entity_type: 'contact' })
    const started = await me.post(`/api/imports/${id}/start`)
    await waitFor(async () => (await me.get(`/api/imports/${id}`)).body.processed_rows > 0)
    expect((await me.delete(`/api/imports/${id}`)).status).toBe(409)
    const cancelled = await me.post(`/api/imports/${id}/cancel`)
    expect(cancelled.status).toBe(200)
    await me.get(`/api/jobs/${started.body.job_id}/events`)
    const after = (await me.get(`/api/imports/${id}`)).body
    expect(after).toMatchObject({ status: 'cancelled' })
    expect(after.processed_rows).toBeLessThan(total)
    expect((await me.get('/api/contacts')).body.total).toBe(after.created_count)
    const back = await done(me, id, 'revert')
    expect(back).toMatchObject({ status: 'reverted', reverted_count: after.created_count })
    expect((await me.get('/api/contacts')).body.total).toBe(0)
  })
})
