/** The account's own fields of each kind of record. */
import type { Schemas } from '@kith/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { Segments } from '#components/segments.tsx'
import { useDelete, useList } from '#data/records.ts'
import { formatCount } from '#lib/format.ts'
import { FieldDialog } from './field-dialog.tsx'
import { FIELD_TYPES } from './field-types.ts'
import { NoRows, Part, Row, Rows, RowsSkeleton, RowText } from './part.tsx'
import { useRole } from './role.ts'

type CustomField = Schemas['CustomField']

const KINDS = [
  { value: 'contact', label: 'Contacts' },
  { value: 'company', label: 'Companies' },
  { value: 'deal', label: 'Deals' },
  { value: 'activity', label: 'Activities' },
  { value: 'product', label: 'Products' },
] as const

export default function CustomFields() {
  const { kind }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { isWriter } = useRole()
  const chosen = KINDS.find(({ value }) => value === kind)?.value ?? 'contact'
  const { items, isLoading } = useList('customFields', { entity_type: chosen, page_size: 1000 })
  const remove = useDelete('customFields')
  const [editing, setEditing] = useState<CustomField | 'new'>()
  const label = KINDS.find(({ value }) => value === chosen)?.label.toLowerCase()
  return (
    <Part
      title="Custom fields"
      description="They are on the page of every record, in lists, filters, imports and exports."
      action={
        isWriter && (
          <Button variant="primary" onClick={() => setEditing('new')}>
            <Plus size={15} /> New field
          </Button>
        )
      }
    >
      <div className="mb-3 overflow-x-auto scroll-thin">
        <div className="w-fit">
          <Segments
            label="Kind of record"
            value={chosen}
            options={KINDS}
            onChange={value =>
              void navigate({
                to: '/settings/$section',
                params: { section: 'fields' },
                search: { kind: value } as Record<string, unknown>,
                replace: true,
              })
            }
          />
        </div>
      </div>
      {isLoading && <RowsSkeleton />}
      {!isLoading && items.length === 0 && (
        <NoRows>{`There are no custom fields of ${label} yet. Create one for what ${label} have in your business and Kith lacks.`}</NoRows>
      )}
      {items.length > 0 && (
        <Rows label={`Custom fields of ${label}`}>
          {items.map(field => (
            <Row key={field.id}>
              <RowText title={field.name} detail={detailOf(field)} />
              {field.is_required && <Badge>Required</Badge>}
              {field.is_unique && <Badge>Unique</Badge>}
              {isWriter && (
                <span className="flex gap-1">
                  <Button size="sm" onClick={() => setEditing(field)} aria-label={`Edit ${field.name}`}>
                    Edit
                  </Button>
                  <Button
                    size="sm"
                    variant="ghost-danger"
                    aria-label={`Delete ${field.name}`}
                    onClick={() => remove.mutate({ id: field.id, name: field.name })}
                  >
                    Delete
                  </Button>
                </span>
              )}
            </Row>
          ))}
        </Rows>
      )}
      {editing && (
        <FieldDialog
          kind={chosen}
          field={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Part>
  )
}

function detailOf({ field_type, key, options, description }: CustomField): string {
  const type = FIELD_TYPES.find(({ value }) => value === field_type)?.label ?? field_type
  const choices = options?.length ? formatCount(options.length, 'option') : ''
  return [type, choices, key, description].filter(Boolean).join(' · ')
}
