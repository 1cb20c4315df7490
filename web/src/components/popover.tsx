import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { classes } from '#lib/classes.ts'

interface PopoverProps {
  trigger: ReactElement
  children: ReactNode
  /** for screen readers */
  label: string
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  align?: 'start' | 'end' | 'center'
  className?: string
}

export function Popover({
  trigger,
  children,
  label,
  isOpen,
  onOpenChange,
  align = 'start',
  className,
}: PopoverProps) {
  return (
    <Base.Root
      {...(isOpen === undefined ? {} : { open: isOpen })}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup
            aria-label={label}
            className={classes(
              'popup max-h-[var(--available-height)] overflow-y-auto scroll-thin',
              className ?? 'p-3',
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
