import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '#lib/classes.ts'
import { ReturnFocus } from '#lib/focus.ts'
import { Button, IconButton } from './button.tsx'

interface DialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children: ReactNode
  /** buttons at the bottom, the main one last */
  footer?: ReactNode
  /** `wide` for comparisons and forms with two columns; `side`: a sheet at the right edge */
  size?: 'normal' | 'wide' | 'side'
  /** the element that has the focus afterwards, if it is not the one that opened the dialog */
  returnFocus?: () => HTMLElement | null
}

const SIZES = {
  normal: 'top-[12vh] left-1/2 w-[min(480px,calc(100vw-24px))] -translate-x-1/2 max-h-[76vh] rounded-lg',
  wide: 'top-[8vh] left-1/2 w-[min(880px,calc(100vw-24px))] -translate-x-1/2 max-h-[84vh] rounded-lg',
  side: 'inset-y-0 right-0 w-[min(520px,100vw)]',
}

export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  footer,
  size = 'normal',
  returnFocus,
}: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={open => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          finalFocus={() => returnFocus?.() ?? true}
          className={classes(
            'fixed z-40 flex flex-col bg-raised shadow-float outline-none transition-opacity duration-150',
            'data-ending-style:opacity-0 data-starting-style:opacity-0',
            SIZES[size],
          )}
        >
          <ReturnFocus />
          <header className="flex items-start gap-3 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Base.Title className="line-clamp-3 text-base font-semibold break-words">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-0.5 break-words text-ink-2">{description}</Base.Description>
              )}
            </div>
            <Base.Close render={<IconButton label="Close" />}>
              <X size={16} />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-4 scroll-thin">{children}</div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

interface ConfirmProps extends Pick<DialogProps, 'isOpen' | 'onClose' | 'title'> {
  children: ReactNode
  action: string
  onConfirm: () => void
}

/** Only for actions that cannot be undone; others run at once and offer Undo in a toast. */
export function Confirm({ isOpen, onClose, title, children, action, onConfirm }: ConfirmProps) {
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button
        variant="danger"
        onClick={() => {
          onConfirm()
          onClose()
        }}
      >
        {action}
      </Button>
    </>
  )
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} footer={footer}>
      <div className="text-ink-2">{children}</div>
    </Dialog>
  )
}
