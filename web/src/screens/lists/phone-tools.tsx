/** What the header of the table does on a wider screen: sort, and select rows. */
import { ArrowDown, ArrowDownUp, ArrowUp, ListChecks } from 'lucide-react'
import { IconButton } from '#components/button.tsx'
import { Menu, MenuItem, MenuLabel } from '#components/menu.tsx'
import { type Field, isSortable } from '#data/field-types.ts'

export interface PhoneToolsProps {
  fields: readonly Field[]
  sortBy: string
  isDescending: boolean
  onSort: (key: string) => void
  isSelecting: boolean
  onSelecting: (isSelecting: boolean) => void
}

export function PhoneTools(props: PhoneToolsProps) {
  const { fields, sortBy, isDescending, onSort, isSelecting, onSelecting } = props
  const Arrow = isDescending ? ArrowDown : ArrowUp
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label="Sort">
            <ArrowDownUp size={15} />
          </IconButton>
        }
      >
        <MenuLabel>Sort by (again to reverse)</MenuLabel>
        {fields.filter(isSortable).map(({ key, label }) => (
          <MenuItem
            key={key}
            icon={key === sortBy ? <Arrow size={14} /> : <span className="block w-3.5" />}
            onSelect={() => onSort(key)}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
      <IconButton label="Select rows" aria-pressed={isSelecting} onClick={() => onSelecting(!isSelecting)}>
        <ListChecks size={15} className={isSelecting ? 'text-accent-text' : undefined} />
      </IconButton>
    </>
  )
}
