import { expect, it } from 'vitest'
import { expectLinear } from '../../../test/support/cpu-time.ts'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

async function people({ create }: Account) {
  const company = await create('/api/companies', {
    name: 'Acme & Sons',
    city: 'Berlin',
    metadata: { plan: 'gold', only_company: 'c' },
  })
  const contact = await create('/api/contacts', {
    first_name: 'Ada',
    last_name: '<Lovelace>',
    company_id: company.id,
    metadata: { plan: 'silver', tags: ['a', 'b'], score: 7, nested: { x: 1 }, yes: true },
  })
  const deal = await create('/api/deals', {
    name: 'Big one',
    amount: 1250.5,
    currency: 'EUR',
    company_id: company.id,
    primary_contact_id: contact.id,
    metadata: { plan: 'bronze' },
  })
  return { company, contact, deal }
}

interface Row {
  subject?: string
  body_html?: string
  variables?: Record<string, unknown>
  expected: Record<string, unknown>
}

const plain: Row[] = [
  {
    subject: 'Hi {{ name }}',
    variables: { name: 'Bob' },
    expected: { subject: 'Hi Bob', used: ['name'], missing: [] },
  },
  {
    subject: '{{name}}{{ name}}{{name }}',
    variables: { name: 'x' },
    expected: { subject: 'xxx', used: ['name'] },
  },
  { subject: 'Hi {{ name }}!', expected: { subject: 'Hi !', used: [], missing: ['name'] } },
  { subject: '{{ n | default: "there" }}', expected: { subject: 'there', used: ['n'], missing: [] } },
  { subject: "{{n|default:'there'}}", expected: { subject: 'there' } },
  { subject: '{{ n | default: “there” }}', expected: { subject: 'there' } },
  { subject: '{{ n | default: "" }}', expected: { subject: '', used: ['n'], missing: [] } },
  { subject: '{{ n | default: "x" }}', variables: { n: '' }, expected: { subject: 'x' } },
  { subject: '{{ n }}', variables: { n: '' }, expected: { subject: '', used: ['n'], missing: [] } },
  { subject: '{{ n | default: "x" }} {{ n }}', expected: { subject: 'x', used: [], missing: ['n'] } },
  { subject: '{{ n }}', variables: { n: null }, expected: { subject: '', missing: ['n'] } },
  { subject: '{{ n }}', variables: { n: { a: 1 } }, expected: { missing: ['n'] } },
  {
    subject: '{{ a }} {{ b }} {{ c }}',
    variables: { a: 0, b: false, c: [1, 'x'] },
    expected: { subject: '0 false 1, x' },
  },
  { subject: '{{ a.b.c }}', variables: { a: { b: { c: 'deep' } } }, expected: { subject: 'deep' } },
  { subject: '{{ a.b }}', variables: { 'a.b': 'flat' }, expected: { subject: 'flat' } },
  {
    subject: 'A\r\nBcc: x@y.z{{ n }}',
    variables: { n: 'C\nD\u2028E' },
    expected: { subject: 'A Bcc: x@y.zC D E' },
  },
  { subject: '<{{ n }}>', variables: { n: '<&>' }, expected: { subject: '<<&>>' } },
  {
    body_html: '<p title="{{ n }}">{{ n }}</p>',
    variables: { n: `<b>"'&` },
    expected: {
      body_html: '<p title="&lt;b&gt;&quot;&#39;&amp;">&lt;b&gt;&quot;&#39;&amp;</p>',
      body_text: `<b>"'&`,
    },
  },
  {
    body_html: '{{ n | default: &quot;you &amp; me&quot; }}',
    expected: { body_html: 'you &amp; me', body_text: 'you & me' },
  },
  { body_html: '{{{ n }}}', variables: { n: '<i>' }, expected: { body_html: '{&lt;i&gt;}' } },
  {
    body_html: '{{ a {{ n }} b }}',
    variables: { n: 'x' },
    expected: { body_html: '{{ a x b }}', missing: [] },
  },
  {
    body_html: '{{ n }}',
    variables: { n: '{{ m }}', m: 'again' },
    expected: { body_html: '{{ m }}', used: ['n'] },
  },
  { body_html: 'open {{ and }} close }} {{', expected: { body_html: 'open  close }} {{', missing: ['and'] } },
  { body_html: `{{${'x'.repeat(501)}}}`, expected: { body_html: `{{${'x'.repeat(501)}}}`, missing: [] } },
  { body_html: '{{ Größe }}', variables: { Größe: 'XL' }, expected: { body_html: 'XL' } },
  ...[
    '__proto__',
    'constructor',
    'toString',
    'constructor.name',
    'a.__proto__',
    'a.length.x',
    'contact.first_name',
  ].map(name => ({
    body_html: `{{ ${name} }}`,
    variables: { a: 'text' },
    expected: { body_html: '', missing: [name] },
  })),
  ...['1 + 1', 'n()', '#if n', '/if', '! n', 'n | upcase', 'n | default: there', '> file', 'n; m', ''].map(
    code => ({
      body_html: `{{ ${code} }}`,
      variables: { n: 'evaluated', there: 'evaluated' },
      expected: { body_html: '', missing: [code] },
    }),
  ),
]

onAnyEngine('rendered templates', account => {
  it('renders texts', async () => {
    const { post } = await account()
    for (const { expected, ...body } of plain) {
      const answer = await post('/api/email-templates/preview', body)
      expect(answer).toMatchObject({ status: 200, body: expected })
      expect(Object.keys(answer.body)).toEqual(['subject', 'body_html', 'body_text', 'used', 'missing'])
    }
  })

  it('fills in values of records, the user and the account', async () => {
    const me = await account()
    const { company, contact, deal } = await people(me)
    const rows: [about: Record<string, unknown>, text: string, result: string][] = [
      [{ contact_id: contact.id }, '{{contact.first_name}} {{contact.full_name}}', 'Ada Ada <Lovelace>'],
      [{ contact_id: contact.id }, '{{company.name}}, {{company.city}}', 'Acme & Sons, Berlin'],
      [
        { contact_id: contact.id },
        '{{contact.cf.plan}} {{company.cf.plan}} {{cf.plan}}',
        'silver gold silver',
      ],
      [
        { contact_id: contact.id },
        '{{cf.only_company}} {{cf.tags}} {{cf.score}} {{cf.yes}}',
        'c a, b 7 true',
      ],
      [{ contact_id: contact.id }, '{{cf.nested.x}}', '1'],
      [{ contact_id: contact.id }, '{{contact.job_title | default: "friend"}}', 'friend'],
      [{ contact_id: contact.id }, '[{{contact.id}}{{contact.company_id}}{{contact.metadata}}]', '[]'],
      [{ company_id: company.id }, '{{company.name}} {{contact.first_name}}', 'Acme & Sons'],
      [
        { deal_id: deal.id },
        '{{deal.name}} {{deal.amount}} {{deal.currency}} {{deal.stage}}',
        'Big one 1250.5 EUR Lead',
      ],
      [
        { deal_id: deal.id },
        '{{contact.first_name}} {{company.name}} {{deal.cf.plan}}',
        'Ada Acme & Sons bronze',
      ],
      [
        { contact_id: contact.id, variables: { contact: { first_name: 'Eve' } } },
        '{{contact.first_name}}',
        'Eve',
      ],
      [{}, '{{user.name}} {{account.name}} {{user.password_hash}}', 'Test Person Test'],
    ]
    for (const [about, subject, result] of rows) {
      const answer = await me.post('/api/email-templates/preview', { subject, ...about })
      expect([subject, answer.body.subject]).toEqual([subject, result])
    }
  })

  it('renders a saved template', async () => {
    const { create, post } = await account()
    const template = await create('/api/email-templates', {
      subject: 'Hi {{ name }}',
      body_html: '<p>Dear {{ name }},</p><p>{{ text }}</p>',
    })
    const path = `/api/email-templates/${template.id}/render`
    expect((await post(path, { variables: { name: 'Bob', text: 'bye' } })).body).toEqual({
      subject: 'Hi Bob',
      body_html: '<p>Dear Bob,</p><p>bye</p>',
      body_text: 'Dear Bob,\nbye',
      used: ['name', 'text'],
      missing: [],
    })
    expect((await post(path)).body).toMatchObject({ subject: 'Hi', missing: ['name', 'text'] })
    const strict = await post(path, { strict: true, variables: { name: 'Bob' } })
    expect(strict.status).toBe(422)
    expect(strict.body.detail).toEqual([
      { type: 'missing', loc: ['body', 'variables', 'text'], msg: 'Field required', input: { name: 'Bob' } },
    ])
    expect((await post(path, { strict: true, variables: { name: 'Bob', text: '' } })).status).toBe(200)
    const unknown = await post(`/api/email-templates/${newId()}/render`, {})
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'Email template not found' } })
  })

  it.each(['contact', 'company', 'deal'] as const)(
    'refuses an unknown %s and one of another account',
    async kind => {
      const me = await account()
      const foreign = (await people(await account()))[kind].id
      for (const id of [newId(), foreign]) {
        const answer = await me.post('/api/email-templates/preview', { subject: 'x', [`${kind}_id`]: id })
        expect(answer.status).toBe(422)
        expect(answer.body.detail[0]).toMatchObject({
          type: 'reference_not_found',
          loc: ['body', `${kind}_id`],
          input: id,
        })
      }
    },
  )

  it('shows a key only the records that it may read', async () => {
    const { post } = await account({ scopes: ['email-templates:*'] })
    const answer = await post('/api/email-templates/preview', { subject: 'x', contact_id: newId() })
    expect(answer).toMatchObject({
      status: 403,
      body: { detail: 'This API key lacks the scope contacts:read' },
    })
    expect((await post('/api/email-templates/preview', { subject: '{{ user.name }}' })).status).toBe(200)
  })

  it('limits the size of the result, and renders in linear time', async () => {
    const { post } = await account()
    const long = { body_html: '{{x}}'.repeat(200_000), variables: { x: 'y'.repeat(1000) } }
    expect(await post('/api/email-templates/preview', long)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_error', loc: ['body'] }] },
    })
    for (const part of ['{{', '}}', '{{ | ', '{{x}} {{', '{{ x | default: "']) {
      await expectLinear(async length => {
        const body_html = part.repeat(length / part.length)
        expect((await post('/api/email-templates/preview', { body_html })).status).toBe(200)
      }, 1_000_000)
    }
  })

  it('lists all variables, each of which can be rendered', async () => {
    const me = await account()
    const { deal } = await people(me)
    const { items } = (await me.get('/api/email-templates/variables')).body
    const names: string[] = items.map((item: { name: string }) => item.name)
    expect(names).toEqual(
      expect.arrayContaining([
        'contact.first_name',
        'company.name',
        'deal.amount',
        'user.name',
        'account.name',
        'cf.<key>',
      ]),
    )
    const text = names.map(name => `{{${name.replace('<key>', 'plan')} | default: ""}}`).join('')
    const answer = await me.post('/api/email-templates/preview', { body_html: text, deal_id: deal.id })
    expect(answer).toMatchObject({ status: 200, body: { missing: [] } })
  })
})
