/** A company, field by field as the contract has it. */
import { sql } from 'kysely'
import type { Link } from '../../kernel/links.ts'
import {
  dict,
  email,
  type Infer,
  int,
  list,
  nullable,
  number,
  object,
  optional,
  text,
  union,
  uuid,
} from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import {
  account,
  base,
  categoryNames,
  customFields,
  customFieldsMirror,
  enrichmentInput,
  favoriteFlag,
  idList,
  isFavorite,
  longText,
  referenceItems,
  shortText,
  targets,
  urlText,
} from '../shared/fields.ts'
import { customizable } from '../shared/record-operations.ts'

const count = () => optional(nullable(int({ min: 0 })))

export const companyInput = object(
  {
    name: text({ min: 1, max: 255 }),
    domains: optional(
      nullable(union({ str: text({ max: 2048 }), 'list[str]': list(text({ max: 255 }), { max: 100 }) })),
    ),
    industry: shortText(),
    company_size: shortText(),
    employee_count: count(),
    annual_revenue: optional(nullable(number({ min: 0 }))),
    phone: optional(nullable(text({ max: 64 }))),
    email: optional(nullable(email())),
    website: urlText(),
    address: shortText(),
    city: shortText(),
    state: shortText(),
    country: shortText(),
    postal_code: shortText(),
    linkedin_url: urlText(),
    facebook_url: urlText(),
    instagram_url: urlText(),
    twitter_url: urlText(),
    twitter_handle: shortText(),
    twitter_follower_count: count(),
    description: longText(),
    notes: longText(),
    logo_url: urlText(),
    connection_strength: shortText({ examples: ['weak', 'medium', 'strong'] }),
    status: shortText({ examples: ['lead', 'qualified', 'engaged', 'opportunity', 'customer', 'inactive'] }),
    categories: categoryNames,
    team_ids: idList,
    associated_deal_ids: idList,
    metadata: optional(dict()),
    ...enrichmentInput,
  },
  { title: 'CompanyCreate' },
)
export type CompanyInput = Infer<typeof companyInput>

const { team_ids: _team, associated_deal_ids: _deals, ...plain } = companyInput.fields

export const teamLink: Link = {
  table: 'company_people',
  own: 'company_id',
  other: 'person_id',
  target: targets.contact,
}

export const company = customizable({
  table: 'companies',
  label: 'Company',
  entityType: 'company',
  input: companyInput,
  output: object(
    {
      ...base,
      ...plain,
      team_ids: referenceItems,
      associated_deal_ids: referenceItems,
      ...account,
      is_favorite: favoriteFlag,
      custom_fields: customFieldsMirror,
    },
    { title: 'Company' },
  ),
  computed: { is_favorite: isFavorite('company'), custom_fields: customFields },
  links: {
    team_ids: teamLink,
    associated_deal_ids: {
      table: 'deal_companies',
      own: 'company_id',
      other: 'deal_id',
      target: targets.deal,
      order: 'company_position',
    },
  },
  search: 'text and phone',
  hasBytes: true,
  filters: {
    status: { schema: text(), where: (_, value) => sql`r.status = ${value}` },
    industry: { schema: text(), where: (_, value) => sql`r.industry = ${value}` },
    connection_strength: { schema: text(), where: (_, value) => sql`r.connection_strength = ${value}` },
    country: { schema: text(), where: (_, value) => sql`r.country = ${value}` },
    domain: {
      schema: text({ max: 2048, description: 'One of the company’s domains' }),
      where: (ctx, value) => sql`r.id in (select d.company_id from ${rows(ctx, 'company_domains')} d
        where d.domain = domain_name(${value}))`,
    },
    contact_id: {
      schema: uuid({ description: 'Somebody in the company’s team' }),
      where: (ctx, value) => sql`r.id in (select l.company_id from ${rows(ctx, 'company_people')} l
        join ${living(ctx, 'contacts')} p on p.id = l.person_id where l.person_id = ${value})`,
    },
  },
})
export type Company = Infer<typeof company.output>
