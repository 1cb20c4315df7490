import { Popover } from '@base-ui/react/popover'
import type { ReactNode } from 'react'

interface EditorPopupProps {
  label: string
  onClose: () => void
  children: ReactNode
}

/** Opens at once below the cell or fact that is edited. */
export const EditorPopup = ({ label, onClose, children }: EditorPopupProps) => (
  <Popover.Root defaultOpen onOpenChange={isOpen => !isOpen && onClose()}>
    <Popover.Trigger nativeButton={false} render={<span className="block h-5 w-full" />} aria-label={label} />
    <Popover.Portal>
      <Popover.Positioner align="start" sideOffset={4} className="z-50">
        <Popover.Popup aria-label={label} className="popup overflow-hidden">
          {children}
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  </Popover.Root>
)
