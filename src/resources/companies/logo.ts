/** Logos by domain. Addresses are built from a configured list of logo services; no service is called. */
import { type Ctx, one } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations } from '../../kernel/resource.ts'
import { list, nullable, object, oneOf, optional, text } from '../../kernel/schema/index.ts'
import { type Company, type CompanyInput, company } from './record.ts'

interface Possibilities {
  possibilities: { domain: string; logo_url: string }[]
  /** where the domains came from */
  type: 'domains' | 'website' | 'email' | 'none'
}

const HOST = /^(?=.{1,253}$)([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

/** `https://www.Acme.com/about` and `acme.com` are the same domain. */
export function domainOf(value: string): string | undefined {
  const host = value
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/[/?#:].*$/s, '')
    .replace(/^www\./, '')
  return HOST.test(host) ? host : undefined
}

const sources = (record: Company): [Possibilities['type'], string[]][] => [
  ['domains', [record.domains ?? []].flat().flatMap(entry => entry.split(/[\s,;]+/))],
  ['website', [record.website ?? '']],
  ['email', [record.email?.split('@').at(-1) ?? '']],
]

export function logoPossibilities(ctx: Ctx, record: Company): Possibilities {
  const candidates = sources(record).flatMap(([type, values]) =>
    values.map(domainOf).flatMap(domain => (domain === undefined ? [] : [{ type, domain }])),
  )
  const domains = [...new Set(candidates.map(entry => entry.domain))]
  return {
    possibilities: domains.flatMap(domain => logosOf(ctx, domain)),
    type: candidates[0]?.type ?? 'none',
  }
}

const logosOf = (ctx: Ctx, domain: string) =>
  ctx.services.config.logoServices.map(service => ({
    domain,
    logo_url: service.replace('{domain}', encodeURIComponent(domain)),
  }))

/** `logo_url` takes precedence; with a domain only, the first possible address is used. */
function chosenLogo(ctx: Ctx, choice: { domain?: string | null; logo_url?: string | null }): string {
  if (choice.logo_url) return choice.logo_url
  if (!choice.domain) {
    throw errors.invalidValue(['body'], 'domain or logo_url is required', choice)
  }
  const domain = domainOf(choice.domain)
  if (domain === undefined) {
    throw errors.invalidValue(['body', 'domain'], 'this is not a domain name', choice.domain)
  }
  return one(logosOf(ctx, domain)).logo_url
}

export const logoEndpoints = (operations: Operations<CompanyInput, Company>) => [
  endpoint({
    method: 'POST',
    path: '/api/companies/{company_id}/update-logo',
    tag: 'Companies',
    permission: 'companies:write',
    summary: 'Set the logo of a company',
    description: 'Accepts a domain, whose first possible logo is used, or the URL of an image.',
    body: object({
      domain: optional(nullable(text({ max: 255 }))),
      logo_url: optional(nullable(text({ max: 2048 }))),
    }),
    response: company.output,
    single: true,
    run: (ctx, { params, body }) =>
      operations.update(ctx, params.company_id, { logo_url: chosenLogo(ctx, body) }),
  }),
  endpoint({
    method: 'GET',
    path: '/api/companies/{company_id}/fetch-logo-possibilities',
    tag: 'Companies',
    permission: 'companies:read',
    summary: 'List possible logos of a company',
    description: 'Built from the domains, the website and the email address of the company.',
    response: object(
      {
        possibilities: list(object({ domain: text(), logo_url: text() })),
        type: oneOf(['domains', 'website', 'email', 'none']),
      },
      { title: 'LogoPossibilities' },
    ),
    run: async (ctx, { params }) => logoPossibilities(ctx, await operations.get(ctx, params.company_id)),
  }),
]
