import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { domainOf } from './logo.ts'

it.each([
  ['acme.com', 'acme.com'],
  ['https://www.Acme.com/about?x=1', 'acme.com'],
  ['ACME.COM:8080', 'acme.com'],
  ['bücher.example', 'bücher.example'],
  [' acme.co.uk ', 'acme.co.uk'],
  ['not a domain', undefined],
  ['localhost', undefined],
  ['', undefined],
  ['javascript:alert(1)', undefined],
  ['-acme.com', undefined],
])('reads the domain of %j as %j', (value, domain) => {
  expect(domainOf(value)).toBe(domain)
})

const sources: [name: string, company: Record<string, unknown>, type: string, domains: string[]][] = [
  ['a list', { domains: ['acme.com', 'acme.io'] }, 'domains', ['acme.com', 'acme.io']],
  ['one text', { domains: 'acme.com, https://www.acme.io/x' }, 'domains', ['acme.com', 'acme.io']],
  ['website', { website: 'https://www.acme.com/about' }, 'website', ['acme.com']],
  ['email', { email: 'info@acme.com' }, 'email', ['acme.com']],
  [
    'all of them, each domain once',
    { domains: ['acme.com'], website: 'https://acme.org', email: 'x@acme.com' },
    'domains',
    ['acme.com', 'acme.org'],
  ],
  ['nothing usable', { domains: ['nonsense'], website: 'also nonsense' }, 'none', []],
  ['nothing', {}, 'none', []],
]

onAnyEngine('logos', account => {
  it.each(sources)('offers logos from %s', async (_, fields, type, domains) => {
    const { create, get } = await account()
    const { id } = await create('/api/companies', { name: 'Acme', ...fields })
    const { body, status } = await get(`/api/companies/${id}/fetch-logo-possibilities`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['possibilities', 'type'])
    expect(body.type).toBe(type)
    const offered = body.possibilities as { domain: string; logo_url: string }[]
    expect([...new Set(offered.map(item => item.domain))]).toEqual(domains)
    for (const { domain, logo_url } of offered) {
      expect(logo_url).toContain(domain)
      expect(logo_url).toMatch(/^https:\/\//)
    }
  })

  it('sets the logo from a URL, or from the first possible logo of a domain', async () => {
    const { create, post, get } = await account()
    const { id } = await create('/api/companies', { name: 'Acme', domains: ['acme.com'] })
    const { possibilities } = (await get(`/api/companies/${id}/fetch-logo-possibilities`)).body
    const rows: [body: Record<string, unknown>, logo: string][] = [
      [{ domain: 'acme.com' }, possibilities[0].logo_url],
      [{ domain: 'https://www.ACME.com/' }, possibilities[0].logo_url],
      [{ logo_url: 'https://x.test/a.png' }, 'https://x.test/a.png'],
      [{ logo_url: 'https://x.test/b.png', domain: 'acme.com' }, 'https://x.test/b.png'],
      [{ logo_url: null, domain: 'acme.com' }, possibilities[0].logo_url],
    ]
    for (const [body, logo] of rows) {
      const answer = await post(`/api/companies/${id}/update-logo`, body)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ id, name: 'Acme', logo_url: logo })
    }
    expect((await get(`/api/companies/${id}`)).body.logo_url).toBe(possibilities[0].logo_url)
  })

  it.each([
    [{}, ['body'], 'Value error, domain or logo_url is required'],
    [{ domain: null, logo_url: null }, ['body'], 'Value error, domain or logo_url is required'],
    [{ domain: '' }, ['body'], 'Value error, domain or logo_url is required'],
    [{ domain: 'not a domain' }, ['body', 'domain'], 'Value error, this is not a domain name'],
    [{ domain: 5 }, ['body', 'domain'], 'Input should be a valid string'],
    [{ domain: 'x'.repeat(256) }, ['body', 'domain'], 'String should have at most 255 characters'],
    [{ logo_url: 'x'.repeat(2049) }, ['body', 'logo_url'], 'String should have at most 2048 characters'],
  ])('refuses %j', async (body, loc, msg) => {
    const { create, post } = await account()
    const { id } = await create('/api/companies', { name: 'Acme' })
    const answer = await post(`/api/companies/${id}/update-logo`, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ loc, msg })
  })

  it('needs an existing company', async () => {
    const { post, get } = await account()
    const none = `/api/companies/${newId()}`
    expect((await post(`${none}/update-logo`, { domain: 'acme.com' })).status).toBe(404)
    expect((await get(`${none}/fetch-logo-possibilities`)).body).toEqual({ detail: 'Company not found' })
  })
})
