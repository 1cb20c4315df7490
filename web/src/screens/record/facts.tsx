/** The fields of the record, those in use first, and the records that it is linked to. */
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { type Field, readField } from '#data/field-types.ts'
import { useFields } from '#data/fields.ts'
import { formatCount } from '#lib/format.ts'
import { Fact } from './fact.tsx'
import { Related } from './related.tsx'
import type { AnyRecord, Subject } from './subject.ts'
import { Tags } from './tags.tsx'

/** Shown elsewhere on the page. */
const ELSEWHERE = ['full_name', 'created_at', 'updated_at']

/** The primary ones, which are in the lists of all. */
const IN_LISTS = ['email', 'phone']

/** Shown without a value, too, though lists have no column for them until the person chooses it. */
const ALWAYS = ['first_name', 'last_name', 'emails', 'phones', 'parent_id']

const hasValue = (record: object, field: Field): boolean => {
  const value = readField(record, field)
  return (
    value !== null &&
    value !== undefined &&
    value !== '' &&
    value !== false &&
    !(Array.isArray(value) && value.length === 0)
  )
}

export function Facts({ subject, record }: { subject: Subject; record: AnyRecord }) {
  const all = useFields(subject.kind).filter(
    ({ key }) => !ELSEWHERE.includes(key) && !(subject.kind === 'contact' && IN_LISTS.includes(key)),
  )
  const fields = all.filter(({ type }) => type !== 'references')
  const links = all.filter(({ type }) => type === 'references')
  const [isAll, setAll] = useState(false)
  const isMain = (field: Field) => field.isDefault || ALWAYS.includes(field.key) || hasValue(record, field)
  const main = fields.filter(field => !field.key.startsWith('cf.') && isMain(field))
  const custom = fields.filter(field => field.key.startsWith('cf.'))
  const others = fields.filter(field => !field.key.startsWith('cf.') && !isMain(field))
  const shared = { subject, record }
  return (
    <section aria-label="Facts" className="flex flex-col px-4 py-4">
      <dl className="flex flex-col gap-0.5">
        {/* one list: a field that gets its first value moves in it, and its editor remains */}
        {[...main, ...(isAll ? others : [])].map(field => (
          <Fact key={field.key} {...shared} field={field} />
        ))}
      </dl>
      {others.length > 0 && (
        <Button
          variant="ghost"
          size="sm"
          className="mt-1 self-start"
          aria-expanded={isAll}
          onClick={() => setAll(!isAll)}
        >
          {isAll ? <ChevronUp size={14} /> : <ChevronDown size={14} />}
          {isAll ? 'Hide empty fields' : formatCount(others.length, 'empty field')}
        </Button>
      )}
      {custom.length > 0 && (
        <>
          <h2 className="mt-4 mb-1 text-xs font-medium text-ink-3">Custom fields</h2>
          <dl className="flex flex-col gap-0.5">
            {custom.map(field => (
              <Fact key={field.key} {...shared} field={field} />
            ))}
          </dl>
        </>
      )}
      <Tags subject={subject} />
      {links.map(field => (
        <Related key={field.key} {...shared} field={field} />
      ))}
      <p className="mt-6 border-t border-line pt-3 text-xs text-ink-3">
        Created <TimeAgo time={record.created_at} /> · changed <TimeAgo time={record.updated_at} />
      </p>
    </section>
  )
}
