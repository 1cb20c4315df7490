/** A company, with exactly the fields of the contract. */
import { sql } from 'kysely'
import { livingId } from '../../kernel/links.ts'
import { equals } from '../../kernel/list-parameters.ts'
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
  sometimes,
  text,
  union,
  uuid,
} from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { kind, linkFrom, targets } from '../kinds.ts'
import { externalIdsInput, externalIdsOutput } from '../shared/external-ids.ts'
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
  isFavoriteOfOne,
  livingCompanyOfOne,
  longText,
  referenceItems,
  shortText,
  urlText,
} from '../shared/fields.ts'
import { customizable } from '../shared/record-operations.ts'

const count = () => optional(nullable(int({ min: 0 })))

const OWNER = { description: 'The member who is responsible for the company' }
const PARENT = { description: 'The company that it belongs to' }

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
    external_ids: externalIdsInput,
    owner_id: optional(nullable(uuid(OWNER))),
    parent_id: optional(nullable(uuid(PARENT))),
  },
  {
    title: 'CompanyCreate',
    examples: [
      {
        name: 'Acme',
        domains: ['acme.example'],
        industry: 'Software',
        employee_count: 42,
        metadata: { tier: 'gold' },
      },
    ],
  },
)
export type CompanyInput = Infer<typeof companyInput>

const {
  team_ids: _team,
  associated_deal_ids: _deals,
  owner_id: _owner,
  parent_id: _parent,
  ...plain
} = companyInput.fields

export const teamLink = linkFrom('company_people', 'company')

export const company = customizable({
  ...kind('company'),
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
      external_ids: externalIdsOutput,
      // Only companies that have one show these fields, because the contract does not have them.
      owner_id: sometimes(uuid(OWNER)),
      parent_id: sometimes(uuid(PARENT)),
    },
    { title: 'Company' },
  ),
  computed: {
    is_favorite: isFavorite('company'),
    custom_fields: customFields,
    // A parent in the trash is hidden; it shows again when it is restored.
    parent_id: ctx => livingId(ctx, 'parent_id', targets.company),
  },
  ofOne: { is_favorite: isFavoriteOfOne('company'), parent_id: livingCompanyOfOne('parent_id') },
  whenNew: { is_favorite: sql`false` },
  links: {
    team_ids: teamLink,
    associated_deal_ids: linkFrom('deal_companies', 'company'),
  },
  references: { owner_id: targets.member, parent_id: targets.company },
  search: 'text and phone',
  hasBytes: true,
  filters: {
    status: equals('status', text(), (_, value) => sql`c.value = ${value}`),
    industry: equals('industry', text()),
    connection_strength: equals('connection_strength', text()),
    country: equals('country', text()),
    domain: {
      schema: text({ max: 2048, description: 'One of the company’s domains' }),
      where: (ctx, value) => sql`r.id in (select d.company_id from ${rows(ctx, 'company_domains')} d
        where d.domain = domain_name(${value}))`,
    },
    owner_id: equals('owner_id', uuid(OWNER)),
    parent_id: equals('parent_id', uuid(PARENT)),
    contact_id: {
      schema: uuid({ description: 'A contact in the company’s team' }),
      where: (ctx, value) => sql`r.id in (select l.company_id from ${rows(ctx, 'company_people')} l
        join ${living(ctx, 'contacts')} p on p.id = l.person_id where l.person_id = ${value})`,
    },
  },
})
export type Company = Infer<typeof company.output>
