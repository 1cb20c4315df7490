/** Which columns, in which order: for the mouse and the keyboard. */
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { Checkbox } from '#components/checkbox.tsx'
import { Input } from '#components/input.tsx'
import { Popover } from '#components/popover.tsx'
import type { Field } from '#data/field-types.ts'
import { type Column, moved } from './columns.ts'

interface ColumnsMenuProps {
  fields: readonly Field[]
  columns: readonly Column[]
  onChange: (keys: string[]) => void
}

export function ColumnsMenu({ fields, columns, onChange }: ColumnsMenuProps) {
  const [text, setText] = useState('')
  const keys = columns.map(({ field }) => field.key)
  const matches = ({ label }: Field) => label.toLowerCase().includes(text.toLowerCase())
  const hidden = fields.filter(field => !keys.includes(field.key) && matches(field))
  return (
    <Popover
      label="Columns"
      align="end"
      className="flex w-72 flex-col"
      trigger={
        <Button variant="ghost" size="sm">
          <Columns3 size={14} />
          Columns
        </Button>
      }
    >
      <div className="p-2">
        <Input
          placeholder="Find a field…"
          aria-label="Find a field"
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </div>
      <div className="max-h-96 overflow-y-auto px-2 pb-2 scroll-thin">
        {columns.map(({ field }, index) =>
          matches(field) ? (
            <div key={field.key} className="group flex h-7 items-center gap-2">
              <Checkbox
                label={`Show ${field.label}`}
                isChecked
                isDisabled={index === 0}
                onChange={() => onChange(keys.toSpliced(index, 1))}
              />
              <span className="flex-1 truncate">{field.label}</span>
              {index > 0 && (
                <span className="flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
                  <IconButton
                    label={`Move ${field.label} to the left`}
                    disabled={index === 1}
                    onClick={() => onChange(moved(keys, index, index - 1))}
                  >
                    <ArrowUp size={13} />
                  </IconButton>
                  <IconButton
                    label={`Move ${field.label} to the right`}
                    disabled={index === keys.length - 1}
                    onClick={() => onChange(moved(keys, index, index + 1))}
                  >
                    <ArrowDown size={13} />
                  </IconButton>
                </span>
              )}
            </div>
          ) : null,
        )}
        {hidden.length > 0 && <div className="my-1 h-px bg-line" />}
        {hidden.map(field => (
          <div key={field.key} className="flex h-7 items-center gap-2 text-ink-2">
            <Checkbox
              label={`Show ${field.label}`}
              isChecked={false}
              onChange={() => onChange([...keys, field.key])}
            />
            <span className="truncate">{field.label}</span>
          </div>
        ))}
      </div>
    </Popover>
  )
}
