/** A contact: a person the account deals with. */

import { sql } from 'kysely'
import { livingId } from '../../kernel/links.ts'
import {
  boolean,
  date,
  datetime,
  dict,
  email,
  type Infer,
  int,
  list,
  nullable,
  object,
  oneOf,
  optional,
  rule,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { nextInteraction } from '../activities/next-activity.ts'
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
import { contactFilters } from './filters.ts'

export const MAX_ADDRESSES = 20

const onePrimary = (entries: readonly { is_primary: boolean }[]) =>
  entries.filter(entry => entry.is_primary).length > 1 ? 'only one can be primary' : undefined

const isPrimary = withDefault(boolean(), false)
const emails = list(
  object(
    { email: email(), type: withDefault(oneOf(['work', 'home', 'other']), 'work'), is_primary: isPrimary },
    { title: 'ContactEmail' },
  ),
  { max: MAX_ADDRESSES },
)
const phones = list(
  object(
    {
      phone: text({ min: 1, max: 64 }),
      type: withDefault(oneOf(['work', 'home', 'mobile', 'other']), 'work'),
      is_primary: isPrimary,
    },
    { title: 'ContactPhone' },
  ),
  { max: MAX_ADDRESSES },
)

const fields = object(
  {
    first_name: shortText(),
    last_name: shortText(),
    email: optional(nullable(email())),
    emails: optional(nullable(rule(emails, onePrimary))),
    phone: optional(nullable(text({ max: 64 }))),
    phones: optional(nullable(rule(phones, onePrimary))),
    job_title: shortText(),
    department: shortText(),
    company_id: optional(
      nullable(uuid({ description: 'The primary company; setting it adds the contact to its team' })),
    ),
    company_ids: idList,
    associated_deal_ids: idList,
    owner_id: optional(nullable(uuid({ description: 'A member of the account' }))),
    status: shortText({ examples: ['lead', 'qualified', 'engaged', 'opportunity', 'customer', 'inactive'] }),
    connection_strength: shortText({ examples: ['weak', 'medium', 'strong'] }),
    lead_source: shortText(),
    website: urlText(),
    linkedin_url: urlText(),
    facebook_url: urlText(),
    instagram_url: urlText(),
    twitter_url: urlText(),
    avatar_url: urlText(),
    twitter_handle: shortText(),
    twitter_follower_count: optional(nullable(int({ min: 0 }))),
    address: shortText(),
    city: shortText(),
    state: shortText(),
    country: shortText(),
    postal_code: shortText(),
    birthday: optional(nullable(date())),
    timezone: shortText({ examples: ['Europe/Vienna'] }),
    language: shortText({ examples: ['de'] }),
    do_not_contact: withDefault(boolean(), false),
    email_opt_out: withDefault(boolean(), false),
    description: longText(),
    notes: longText(),
    categories: categoryNames,
    metadata: optional(dict()),
    ...enrichmentInput,
    external_ids: externalIdsInput,
  },
  {
    title: 'ContactCreate',
    examples: [{ first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', job_title: 'Buyer' }],
    description: 'At least one of first_name, last_name and email (or emails) is needed.',
  },
)

type ContactFields = Infer<typeof fields>

const NAMELESS = 'a contact needs at least one of first_name, last_name and email'

/** The problem with a contact without any name or address, or undefined. */
export const nameless = (
  person: Pick<ContactFields, 'first_name' | 'last_name' | 'email'>,
): string | undefined =>
  [person.first_name, person.last_name, person.email].some(name => name?.trim()) ? undefined : NAMELESS

export const contactInput = {
  // without `email`, the first of the list is the primary one
  ...rule(fields, person =>
    nameless({ ...person, email: person.email ?? person.emails?.[0]?.email ?? null }),
  ),
  fields: fields.fields,
}
export type ContactInput = Infer<typeof contactInput>

const {
  first_name,
  last_name,
  company_ids: _companies,
  associated_deal_ids: _deals,
  ...plain
} = contactInput.fields
const moment = () => nullable(datetime({ description: 'Derived from the contact’s activities' }))

export const companyLink = linkFrom('company_people', 'contact')

export const contact = customizable({
  ...kind('contact'),
  input: contactInput,
  output: object(
    {
      ...base,
      first_name,
      last_name,
      full_name: text({ description: 'First and last name, else the email' }),
      ...plain,
      first_interaction: moment(),
      last_interaction: moment(),
      next_interaction: moment(),
      created_by: nullable(uuid()),
      company_ids: referenceItems,
      associated_deal_ids: referenceItems,
      ...account,
      is_favorite: favoriteFlag,
      custom_fields: customFieldsMirror,
      external_ids: externalIdsOutput,
    },
    { title: 'Contact' },
  ),
  computed: {
    // A company in the trash is hidden here, too; it shows again when it is restored.
    company_id: ctx => livingId(ctx, 'company_id', targets.company),
    next_interaction: nextInteraction,
    is_favorite: isFavorite('contact'),
    custom_fields: customFields,
  },
  ofOne: { is_favorite: isFavoriteOfOne('contact'), company_id: livingCompanyOfOne('company_id') },
  whenNew: { is_favorite: sql`false`, next_interaction: sql`null::timestamptz` },
  links: {
    company_ids: companyLink,
    associated_deal_ids: linkFrom('deal_contacts', 'contact'),
  },
  references: { company_id: targets.company, owner_id: targets.member },
  search: 'text and phone',
  hasBytes: true,
  filters: contactFilters,
})
export type Contact = Infer<typeof contact.output>
