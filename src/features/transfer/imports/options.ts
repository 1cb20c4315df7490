/** The options of an import, and their defaults. */
import {
  boolean,
  type Infer,
  list,
  nullable,
  object,
  oneOf,
  rule,
  sometimes,
  text,
  union,
} from '../../../kernel/schema/index.ts'
import { currency } from '../../../resources/deals/currency.ts'
import { isSource } from '../../../resources/shared/external-ids.ts'
import { orderOf } from './dates.ts'
import { PROFILES } from './profiles.ts'

const LOOKED_UP = ['fail', 'empty'] as const
const CREATABLE = ['fail', 'empty', 'create'] as const

const onMissing = object(
  {
    owner: sometimes(oneOf(LOOKED_UP, { description: 'Owners and assignees: members of the account' })),
    author: sometimes(
      oneOf(LOOKED_UP, { description: 'created_by; empty: the caller who imports the file' }),
    ),
    company: sometimes(oneOf(CREATABLE)),
    contact: sometimes(oneOf(CREATABLE)),
    deal: sometimes(oneOf(LOOKED_UP)),
    stage: sometimes(oneOf(CREATABLE)),
    pipeline: sometimes(oneOf(CREATABLE)),
    tag: sometimes(
      oneOf(CREATABLE, { description: 'Tags; those of a row are added to those that the record has' }),
    ),
    option: sometimes(oneOf(CREATABLE, { description: 'Options of custom fields that are a select' })),
  },
  {
    title: 'ImportOnMissing',
    description:
      'What to do with a row that names a record, a tag or an option which is not found: fail the row, leave the value out (and list it as a warning), or create it',
  },
)

export type OnMissing = Required<Infer<typeof onMissing>>
export type Missing = keyof OnMissing

/** Missing companies and tags are created; anything else that is missing fails its row. */
export const DEFAULTS: OnMissing = {
  owner: 'fail',
  author: 'empty',
  company: 'create',
  contact: 'fail',
  deal: 'fail',
  stage: 'fail',
  pipeline: 'fail',
  tag: 'create',
  option: 'fail',
}

export const importOptions = object(
  {
    duplicate_strategy: sometimes(
      oneOf(['skip', 'update', 'create'], {
        description: 'What to do with a row whose record exists already; skip unless set',
      }),
    ),
    match_on: sometimes(
      nullable(
        union(
          { str: text({ max: 200 }), 'list[str]': list(text({ max: 200 }), { max: 10 }) },
          {
            description:
              'What records are recognised by: email, phone or name (contacts), domain or name (companies), name (deals), external_id, cf.<key>; the first that finds one counts. A mapped id or external_id always does.',
          },
        ),
      ),
    ),
    on_missing: sometimes(onMissing),
    create_missing_companies: sometimes(
      boolean({
        description:
          'true is on_missing.company = create, false is fail; on_missing.company counts before it',
      }),
    ),
    profile: sometimes(
      nullable(
        oneOf(PROFILES, {
          description:
            'The product that wrote the file, whose columns are then known; recognised by its columns unless set, null for none',
        }),
      ),
    ),
    create_fields: sometimes(
      boolean({
        description:
          'Columns without a field go into custom fields, which the import declares with the type of their values',
      }),
    ),
    source: sometimes(
      nullable(
        rule(
          text({
            max: 63,
            examples: ['hubspot'],
            description:
              'The system that the file comes from; the profile unless set. Ids of the column mapped to external_id are stored under it in external_ids, and …_external_id columns link records by them',
          }),
          source => (isSource(source) ? undefined : 'write it with a-z, 0-9 and _'),
        ),
      ),
    ),
    pipeline: sometimes(
      nullable(
        text({
          max: 255,
          description:
            'The name or id of the pipeline of deals whose row names none; their stages are looked for there',
        }),
      ),
    ),
    date_format: sometimes(
      nullable(
        rule(text({ max: 40, examples: ['DD/MM/YYYY'] }), format =>
          orderOf(format) ? undefined : 'write it with D, M and Y, as in DD/MM/YYYY',
        ),
      ),
    ),
    decimal_separator: sometimes(
      nullable(oneOf(['.', ','], { description: 'Of all number columns; each column’s own unless set' })),
    ),
    currency: sometimes(
      nullable({ ...currency, json: { ...currency.json, description: 'Of amounts that come without one' } }),
    ),
  },
  { title: 'ImportOptions' },
)

export type ImportOptions = Infer<typeof importOptions>

/** A change overrides the options that it names; the others do not change. */
export const mergedOptions = (before: ImportOptions, change: ImportOptions): ImportOptions => ({
  ...before,
  ...change,
  ...(before.on_missing || change.on_missing
    ? { on_missing: { ...before.on_missing, ...change.on_missing } }
    : {}),
})

export const onMissingOf = ({ create_missing_companies: create, on_missing }: ImportOptions): OnMissing => ({
  ...DEFAULTS,
  ...(create === undefined ? {} : { company: create ? 'create' : 'fail' }),
  ...on_missing,
})
