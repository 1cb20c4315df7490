/** Texts for mails that are written again and again. */
import { FileText, Pencil, Plus, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { useDelete, useList, useUpdate } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import type { Template } from './boxes.ts'
import { TemplateDialog } from './template-dialog.tsx'

const PLAIN = /<[^>]+>/g

export function Templates({ onUse }: { onUse: (template: Template) => void }) {
  const { items, isPending } = useList('emailTemplates', { page_size: 200 })
  const update = useUpdate('emailTemplates')
  const remove = useDelete('emailTemplates')
  const [edited, setEdited] = useState<Template | 'new'>()
  const isWriter = useIsWriter()
  const create = isWriter && (
    <Button size="sm" onClick={() => setEdited('new')}>
      <Plus size={14} /> New template
    </Button>
  )
  return (
    <>
      {isPending ? (
        <div className="p-4">
          <Skeleton className="h-4 w-80" />
        </div>
      ) : items.length === 0 ? (
        <EmptyState icon={FileText} title="No templates" action={create}>
          A template has variables, such as the first name of the contact, that each mail fills in.
        </EmptyState>
      ) : (
        <>
          {create && <div className="flex justify-end border-b border-line px-4 py-2">{create}</div>}
          <ul>
            {items.map(template => (
              <li
                key={template.id}
                className="group flex min-h-11 items-center gap-2 border-b border-line px-4 hover:bg-hover"
              >
                {isWriter && (
                  <IconButton
                    label={template.is_favorite ? `Unstar ${template.subject}` : `Star ${template.subject}`}
                    aria-pressed={template.is_favorite}
                    onClick={() =>
                      update.mutate({ id: template.id, changes: { is_favorite: !template.is_favorite } })
                    }
                  >
                    <Star size={14} className={classes(template.is_favorite && 'fill-warn text-warn')} />
                  </IconButton>
                )}
                <span className="min-w-0 flex-1 truncate">
                  <span className="font-medium">{template.subject}</span>
                  <span className="ml-2 text-ink-3 max-[719px]:hidden">
                    {template.body_html.replaceAll(PLAIN, ' ').slice(0, 120)}
                  </span>
                </span>
                <TimeAgo time={template.updated_at} className="text-xs text-ink-3 max-[719px]:hidden" />
                {isWriter && (
                  <>
                    <IconButton label={`Edit ${template.subject}`} onClick={() => setEdited(template)}>
                      <Pencil size={14} />
                    </IconButton>
                    <IconButton
                      label={`Delete ${template.subject}`}
                      onClick={() => remove.mutate({ id: template.id, name: template.subject })}
                    >
                      <Trash2 size={14} />
                    </IconButton>
                    <Button size="sm" onClick={() => onUse(template)}>
                      Use
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {edited && (
        <TemplateDialog
          {...(edited === 'new' ? {} : { template: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
