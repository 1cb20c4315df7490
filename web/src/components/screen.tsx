import type { ReactNode } from 'react'
import { useEffect } from 'react'

interface ScreenProps {
  title: string
  /** left of the title, such as a way back */
  before?: ReactNode
  /** beside the title, such as a count or a choice */
  aside?: ReactNode
  /** buttons at the right, the main one last */
  actions?: ReactNode
  /** a second line: filters, tabs */
  toolbar?: ReactNode
  children: ReactNode
}

/** The frame of every screen: a heading line, an optional toolbar, and the content, which scrolls by itself. */
export function Screen({ title, before, aside, actions, toolbar, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Kith`
  }, [title])
  return (
    <main className="flex h-full min-w-0 flex-col bg-surface" id="content" tabIndex={-1}>
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
        {before}
        <h1 tabIndex={-1} title={title} className="truncate rounded-sm text-base font-semibold">
          {title}
        </h1>
        {aside}
        <div className="ml-auto flex items-center gap-1.5">{actions}</div>
      </header>
      {toolbar && (
        <div className="flex min-h-10 shrink-0 items-center gap-1.5 border-b border-line px-4">{toolbar}</div>
      )}
      <div className="relative min-h-0 flex-1 overflow-auto scroll-thin">{children}</div>
    </main>
  )
}
