import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: LucideIcon
  title: string
  /** what to do */
  children?: ReactNode
  action?: ReactNode
}

export const EmptyState = ({ icon: Icon, title, children, action }: EmptyStateProps) => (
  <div className="mx-auto flex max-w-80 flex-col items-center gap-1 px-4 py-16 text-center">
    <span className="mb-2 flex size-10 items-center justify-center rounded-lg border border-line bg-surface text-ink-3">
      <Icon size={18} />
    </span>
    <h2 className="font-semibold">{title}</h2>
    {children && <p className="text-ink-2">{children}</p>}
    {action && <div className="mt-3">{action}</div>}
  </div>
)
