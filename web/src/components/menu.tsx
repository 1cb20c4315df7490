import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { classes } from '#lib/classes.ts'
import { Keys } from './keys.tsx'

interface MenuProps {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end' | 'center'
  side?: 'top' | 'bottom' | 'right'
}

export function Menu({ trigger, children, align = 'start', side = 'bottom' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50">
          <Base.Popup className="popup max-h-[var(--available-height)] min-w-44 overflow-y-auto p-1 scroll-thin">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  children: ReactNode
  onSelect: () => void
  icon?: ReactNode
  /** shown at the right; it is the screen that listens to it (lib/keyboard.ts) */
  shortcut?: string
  isDanger?: boolean
  isDisabled?: boolean
}

export function MenuItem({ children, onSelect, icon, shortcut, isDanger, isDisabled }: ItemProps) {
  return (
    <Base.Item
      className={classes('menu-item', isDanger && 'text-bad')}
      onClick={onSelect}
      disabled={isDisabled ?? false}
    >
      {icon && <span className={isDanger ? 'text-bad' : 'text-ink-3'}>{icon}</span>}
      <span className="flex-1 truncate">{children}</span>
      {shortcut && <Keys shortcut={shortcut} />}
    </Base.Item>
  )
}

/** An item that is on or off; the menu stays open. */
export function MenuCheck({
  children,
  isChecked,
  onChange,
}: {
  children: ReactNode
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}) {
  return (
    <Base.CheckboxItem className="menu-item" checked={isChecked} onCheckedChange={onChange}>
      <span className="flex size-4 items-center justify-center text-accent-text">
        {isChecked && <Check size={14} />}
      </span>
      <span className="flex-1 truncate">{children}</span>
    </Base.CheckboxItem>
  )
}

export const MenuSeparator = () => <Base.Separator className="mx-1 my-1 h-px bg-line" />

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <div className="px-2 pt-1.5 pb-1 text-2xs font-medium text-ink-3">{children}</div>
)
