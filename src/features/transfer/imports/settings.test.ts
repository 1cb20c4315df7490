/** What is proposed for a file, what a client can change of it, and what becomes of names that are not known. */
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../../test/support/service.ts'
import { done, errorsOf, imported, uploaded, warningsOf } from './testing.ts'

interface Named {
  name: string
}

const file = (...rows: string[]) => `${rows.join('\n')}\n`
const stagesIn = async (me: Account) =>
  (await me.get('/api/deals/pipelines')).body.items.map((pipeline: { name: string; stages: Named[] }) => [
    pipeline.name,
    pipeline.stages.map(stage => stage.name),
  ])
const USUAL = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']

onAnyEngine('settings of imports', account => {
  it('lists every column that is not imported, and how ambiguous values are read', async () => {
    const me = await account()
    const found = await uploaded(
      me,
      file(
        'name,Shoe size,Empty,annual_revenue,Industry,Sector,Created',
        'Acme,42,,€1.234,Steel,Iron,01/02/2024',
        'Bmce,43,,€2.345,,Iron,03/04/2024',
      ),
      { entity_type: 'company' },
    )
    expect(found.mapping).toEqual({
      name: 'name',
      'Shoe size': null,
      Empty: null,
      annual_revenue: 'annual_revenue',
      Industry: 'industry',
      Sector: null,
      Created: 'created_at',
    })
    expect(found.warnings).toMatchObject([
      { column: 'Shoe size', code: 'not_imported' },
      { column: 'Sector', code: 'not_imported' },
      { column: 'annual_revenue', code: 'decimal_separator', message: expect.stringContaining('1.234') },
      { column: 'annual_revenue', code: 'currency_left_out' },
      { column: 'Created', code: 'date_format', message: expect.stringContaining('MM/DD/YYYY') },
    ])
    const { body } = await me.put(`/api/imports/${found.id}`, {
      mapping: { Sector: 'industry', 'Shoe size': 'cf.shoe' },
      options: { decimal_separator: ',', date_format: 'DD/MM/YYYY' },
    })
    expect(body.warnings).toMatchObject([
      { column: 'annual_revenue', code: 'currency_left_out' },
      { column: 'Sector', code: 'second_column' },
    ])
    const result = await done(me, found.id, 'start')
    expect(result).toMatchObject({ created_count: 2, error_count: 0 })
    const { items } = (await me.get('/api/companies?sort_by=name&sort_order=asc')).body
    expect(items).toMatchObject([
      {
        annual_revenue: 1234,
        industry: 'Steel',
        metadata: { shoe: '42' },
        created_at: '2024-02-01T00:00:00.000Z',
      },
      { annual_revenue: 2345, industry: 'Iron' },
    ])
  })

  it('merges a change into the settings', async () => {
    const me = await account()
    const { id } = await uploaded(me, file('First,Mail,Kind', 'Ann,ann@x.example,a'), {
      entity_type: 'contact',
      mapping: { First: 'first_name', Mail: null },
      value_mapping: { Kind: { a: 'lead' } },
      options: { duplicate_strategy: 'update', on_missing: { owner: 'empty' } },
    })
    const { body } = await me.put(`/api/imports/${id}`, {
      mapping: { Mail: 'email', Kind: 'status' },
      value_mapping: { Kind: { b: 'customer' } },
      options: { match_on: 'email', on_missing: { company: 'fail' } },
    })
    expect(body).toMatchObject({
      mapping: { First: 'first_name', Mail: 'email', Kind: 'status' },
      value_mapping: { Kind: { a: 'lead', b: 'customer' } },
      options: {
        duplicate_strategy: 'update',
        match_on: 'email',
        on_missing: { owner: 'empty', company: 'fail' },
      },
    })
    const result = await done(me, id, 'start')
    expect(result).toMatchObject({ created_count: 1 })
    expect((await me.get('/api/contacts')).body.items[0]).toMatchObject({
      email: 'ann@x.example',
      status: 'lead',
    })
    for (const value_mapping of [{ Nope: { a: 'b' } }, { Kind: 'x' }, { Kind: { a: 5 } }]) {
      const other = await uploaded(me, file('Kind', 'a'), { entity_type: 'contact' })
      const answer = await me.put(`/api/imports/${other.id}`, { value_mapping })
      expect([answer.status, answer.body.detail[0].loc.slice(0, 2)]).toEqual([422, ['body', 'value_mapping']])
    }
  })

  it('suggests a value mapping for synonyms', async () => {
    const me = await account()
    const activities = await uploaded(
      me,
      file(
        'Type,Subject,Done,Priority',
        'Lunch,a,Done,Normal',
        'To-do,b,Open,High',
        'call,c,,',
        'Deadline,d,x,',
      ),
      { entity_type: 'activity', mapping: { Done: 'status' } },
    )
    expect(activities.value_mapping).toEqual({
      Type: { Lunch: 'meeting', 'To-do': 'task', Deadline: 'task' },
      Done: { Done: 'completed', Open: 'planned' },
      Priority: { Normal: 'medium' },
    })
    const result = await done(me, activities.id, 'start')
    expect(result).toMatchObject({ created_count: 3, error_count: 1 })
    expect(await errorsOf(me, activities.id)).toMatchObject([{ row: 5, column: 'Done', value: 'x' }])
    const deals = await uploaded(
      me,
      file('Deal Name,Deal Stage', 'A,closedwon', 'B,Closed Lost', 'C,lead', 'D,PROPOSAL '),
      {
        entity_type: 'deal',
      },
    )
    expect(deals.value_mapping).toEqual({ 'Deal Stage': { closedwon: 'Won', 'Closed Lost': 'Lost' } })
    expect(await done(me, deals.id, 'start')).toMatchObject({ created_count: 4, error_count: 0 })
    expect((await me.get('/api/deals?status=won')).body.items).toMatchObject([{ name: 'A' }])
  })

  it('fails, leaves out or creates records that do not exist', async () => {
    const me = await account()
    const rows = file(
      'name,stage_name,pipeline_name,owner_name,company_name,primary_contact_name',
      'A,Lead,Sales pipeline,Test Person,Acme,Ann Lee (ann@x.example)',
      'B,Odd,Elsewhere,Nobody,"Foo, Inc.",Bob Ray',
    )
    const failing = { owner: 'fail', stage: 'fail', pipeline: 'fail', company: 'fail', contact: 'fail' }
    const one = await imported(me, rows, { entity_type: 'deal', options: { on_missing: failing } })
    expect(one).toMatchObject({ created_count: 0, error_count: 2 })
    expect(
      (await errorsOf(me, one.id)).map((error: { row: number; column: string }) => [error.row, error.column]),
    ).toEqual([
      [2, 'company_name'],
      [2, 'primary_contact_name'],
      [3, 'owner_name'],
      [3, 'company_name'],
      [3, 'primary_contact_name'],
      [3, 'pipeline_name'],
    ])
    const empty = { owner: 'empty', stage: 'empty', pipeline: 'empty', company: 'empty', contact: 'empty' }
    const two = await imported(me, rows, { entity_type: 'deal', options: { on_missing: empty } })
    expect(two).toMatchObject({ created_count: 2, error_count: 0, warning_count: 7 })
    expect((await warningsOf(me, two.id))[0]).toMatchObject({
      row: 2,
      column: 'company_name',
      value: 'Acme',
      message: 'Company not found: left out',
    })
    expect((await me.get('/api/companies')).body.total).toBe(0)
    const create = {
      owner: 'empty',
      stage: 'create',
      pipeline: 'create',
      company: 'create',
      contact: 'create',
    }
    const three = await uploaded(me, rows, { entity_type: 'deal', options: { on_missing: create } })
    const counts = { created_count: 2, error_count: 0, warning_count: 1 }
    expect(await done(me, three.id, 'validate')).toMatchObject(counts)
    expect(await stagesIn(me)).toEqual([['Sales pipeline', USUAL]])
    expect(await done(me, three.id, 'start')).toMatchObject(counts)
    expect(await stagesIn(me)).toEqual([
      ['Sales pipeline', USUAL],
      ['Elsewhere', ['Odd', 'Won', 'Lost']],
    ])
    const { items } = (await me.get('/api/deals?sort_by=created_at&sort_order=desc&page_size=2')).body
    expect(items).toMatchObject([
      {
        name: 'B',
        stage: { name: 'Odd' },
        associated_company_ids: [{ name: 'Foo, Inc.' }],
        associated_contact_ids: [{ name: 'Bob Ray' }],
      },
      { name: 'A', owner_id: me.userId, associated_contact_ids: [{ name: 'Ann Lee' }] },
    ])
    expect((await me.get('/api/contacts?email=ann@x.example')).body.total).toBe(1)
    expect(await done(me, three.id, 'revert')).toMatchObject({ status: 'reverted', conflict_count: 0 })
    expect(await stagesIn(me)).toEqual([['Sales pipeline', USUAL]])
    expect((await me.get('/api/contacts')).body.total).toBe(0)
  })

  it('proposes to leave out owners and to create stages where none exists', async () => {
    const me = await account()
    const found = await uploaded(
      me,
      file('Deal Name,Deal Stage,Deal owner', 'A,Eins,Nobody', 'B,Zwei,Nobody'),
      {
        entity_type: 'deal',
      },
    )
    expect(found.mapping).toMatchObject({ 'Deal Stage': 'stage_name', 'Deal owner': 'owner_name' })
    expect(found.options.on_missing).toEqual({ owner: 'empty', stage: 'create' })
    expect(found.warnings).toMatchObject([
      { column: 'Deal Stage', code: 'missing_stage', message: expect.stringContaining('they are created') },
      { column: 'Deal owner', code: 'missing_owner', message: expect.stringContaining('they are left out') },
    ])
    expect(await done(me, found.id, 'start')).toMatchObject({ created_count: 2, warning_count: 2 })
    expect(await stagesIn(me)).toEqual([
      ['Sales pipeline', [...USUAL.slice(0, 4), 'Eins', 'Zwei', 'Won', 'Lost']],
    ])
  })

  it('asks which pipeline is meant when a stage is in two, and takes the one of the import', async () => {
    const me = await account()
    const { id: other } = await me.create('/api/deals/pipelines', { name: 'Renewals' })
    const rows = file('name,stage_name,pipeline_name', 'A,Won,', 'B,Won,Renewals')
    const one = await imported(me, rows, { entity_type: 'deal' })
    expect(one).toMatchObject({ created_count: 1, error_count: 1 })
    expect(await errorsOf(me, one.id)).toMatchObject([
      { row: 2, code: 'ambiguous_stage', message: expect.stringContaining('options.pipeline') },
    ])
    for (const pipeline of ['renewals', other]) {
      const two = await imported(me, rows, { entity_type: 'deal', options: { pipeline } })
      expect(two).toMatchObject({ created_count: 2, error_count: 0 })
    }
    expect((await me.get(`/api/deals?pipeline_id=${other}`)).body.total).toBe(5)
    const three = await imported(me, rows, { entity_type: 'deal', options: { pipeline: 'Nowhere' } })
    expect(three).toMatchObject({ created_count: 1, error_count: 1 })
  })

  it('does not split names at their commas, and finds several in a cell', async () => {
    const me = await account()
    for (const name of ['HubSpot, Inc.', 'Acme', 'Fjord AS']) await me.create('/api/companies', { name })
    for (const [first_name, last_name] of [
      ['Ann', 'Lee'],
      ['Bob', 'Ray'],
    ]) {
      await me.create('/api/contacts', { first_name, last_name })
    }
    const rows = file(
      'title,content,company_names,contact_names',
      'a,x,"HubSpot, Inc.",Ann Lee',
      'b,x,"HubSpot, Inc.; Acme","Ann Lee, Bob Ray"',
      'c,x,"Acme, Fjord AS",Ann Lee;Bob Ray',
    )
    const result = await imported(me, rows, {
      entity_type: 'note',
      options: { on_missing: { company: 'fail' } },
    })
    expect(await errorsOf(me, result.id)).toEqual([])
    const { items } = (await me.get('/api/notes?sort_by=title&sort_order=asc')).body
    expect(
      items.map((note: { company_ids: Named[] }) => note.company_ids.map(({ name }) => name).sort()),
    ).toEqual([['HubSpot, Inc.'], ['Acme', 'HubSpot, Inc.'], ['Acme', 'Fjord AS']])
    expect(items.map((note: { contact_ids: Named[] }) => note.contact_ids.length)).toEqual([1, 2, 2])
    const people = await imported(me, file('first_name,company_name', 'Cid,Acme; New Co'), {
      entity_type: 'contact',
    })
    expect(people).toMatchObject({ created_count: 1 })
    const cid = (await me.get('/api/contacts?search=Cid')).body.items[0]
    expect(cid.company_ids.map(({ name }: Named) => name)).toEqual(['Acme', 'New Co'])
  })

  it('reads placeholders such as n/a as no value, with a warning', async () => {
    const me = await account()
    const rows = file('name,employee_count,annual_revenue', 'A,n/a,-', 'B,(blank),5')
    const result = await imported(me, rows, { entity_type: 'company' })
    expect(result).toMatchObject({ created_count: 2, error_count: 0, warning_count: 3 })
    expect((await warningsOf(me, result.id))[0]).toMatchObject({ column: 'employee_count', value: 'n/a' })
  })

  it('creates open stages with the probability 0, and none for a row that cannot be read', async () => {
    const me = await account()
    const rows = [
      'A,Discovery,100',
      'B,Closed Won,100',
      'C,Nowhere,ca. 5',
      'D,Discovery,ca. 5',
      'E,Elsewhere,5',
    ]
    const result = await imported(me, file('name,stage,amount', ...rows), {
      entity_type: 'deal',
      options: { on_missing: { stage: 'create' } },
    })
    expect(result).toMatchObject({ created_count: 3, error_count: 2 })
    const [{ stages }] = (await me.get('/api/deals/pipelines')).body.items
    const shape = stages.map(({ name, probability }: { name: string; probability: number }) => [
      name,
      probability,
    ])
    const [added, ended] = [shape.slice(4, 6), shape.slice(6)]
    expect(added).toEqual([
      ['Discovery', 0],
      ['Elsewhere', 0],
    ])
    expect(ended).toContainEqual(['Won', 100])
    const { items } = (await me.get('/api/deals?sort_by=name&sort_order=asc')).body
    expect(items.map(({ weighted_amount }: { weighted_amount: number }) => weighted_amount)).toEqual([
      0, 100, 0,
    ])
  })
})
