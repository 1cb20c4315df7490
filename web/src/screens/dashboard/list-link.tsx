import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ListGroupName } from '#app/router.tsx'

export interface ListTarget {
  group: ListGroupName
  where: Record<string, unknown>
  sort?: string
}

interface ListLinkProps {
  to: ListTarget
  label: string
  className: string
  children: ReactNode
}

/** A part of a plot that opens the records behind it. Its label is the text of what the plot draws. */
export function ListLink({ to: { group, where, sort }, label, className, children }: ListLinkProps) {
  const search: Record<string, unknown> = { where, ...(sort ? { sort } : {}) }
  return (
    <Link to="/$group" params={{ group }} search={search} preload={false} className={className}>
      <span className="sr-only">{label}</span>
      <span aria-hidden="true" className="contents">
        {children}
      </span>
    </Link>
  )
}
