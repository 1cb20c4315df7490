/** A form for a new record with the fields that people fill in at once; the others follow on its page. */
import { Fragment, useState } from 'react'
import { dueChanges } from '#data/due.ts'
import { type FieldKind, useFields } from '#data/fields.ts'
import { GROUP_OF_KIND, type RecordOf } from '#data/groups.ts'
import { nameOf } from '#data/names.ts'
import { usePipelines } from '#data/people.tsx'
import { useCreate } from '#data/records.ts'
import { useSignedIn } from '#data/session.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FieldControl } from './fields/field-control.tsx'
import { MoneyControl } from './fields/money-control.tsx'
import { Form } from './form.tsx'
import { SameAddress } from './same-address.tsx'
import { toast } from './toast.tsx'

const FORM: Readonly<Record<FieldKind, readonly string[]>> = {
  contact: ['first_name', 'last_name', 'email', 'phone', 'job_title', 'company_id', 'status', 'owner_id'],
  company: ['name', 'domains', 'industry', 'status', 'city', 'country', 'owner_id', 'parent_id'],
  deal: ['name', 'amount', 'company_id', 'stage_id', 'expected_close_date', 'owner_id'],
  activity: [
    'subject',
    'type',
    'falls_due_at',
    'start_at',
    'assignee_id',
    'priority',
    'contact_ids',
    'company_ids',
  ],
  product: ['name', 'sku', 'unit_price', 'billing_period'],
}

type Values = Readonly<Record<string, unknown>>

/** What the form begins with: the person's own, in the first stage of the usual pipeline. */
function useInitial(kind: FieldKind): Values {
  const { user, account } = useSignedIn()
  const { pipelines } = usePipelines()
  if (kind === 'contact' || kind === 'company') return { owner_id: user.id }
  if (kind === 'activity') return { type: 'task', assignee_id: user.id }
  if (kind === 'product') return { currency: account.currency }
  if (kind !== 'deal') return {}
  const pipeline = pipelines.find(({ is_default }) => is_default) ?? pipelines[0]
  return {
    ...{ owner_id: user.id, currency: account.currency },
    stage_id: pipeline?.stages.find(({ type }) => type === 'open')?.id,
  }
}

interface CreateDialogProps {
  kind: FieldKind
  isOpen: boolean
  onClose: () => void
  /** values that the screen knows, such as the company of a new deal */
  preset?: object
  onCreated?: (record: RecordOf<(typeof GROUP_OF_KIND)[FieldKind]>) => void
}

export function CreateDialog({ kind, isOpen, onClose, preset, onCreated }: CreateDialogProps) {
  const fields = useFields(kind)
  const create = useCreate(GROUP_OF_KIND[kind], { isForm: true })
  const [changed, setChanged] = useState<Values>({})
  const { due_date, ...initial }: Values = { ...useInitial(kind), ...preset }
  // an activity that begins at a time is not due on the day that the screen proposes
  const isDue = !changed.start_at || 'falls_due_at' in changed
  const begun: Values = isDue ? { ...initial, falls_due_at: due_date } : initial
  const shown = FORM[kind].flatMap(key => fields.find(field => field.key === key) ?? [])
  const required = fields.filter(field => field.key.startsWith('cf.') && field.isRequired)

  const set = (key: string, value: unknown) => setChanged(current => ({ ...current, [key]: value }))
  const close = () => {
    setChanged({})
    onClose()
  }
  const submit = async () => {
    const { falls_due_at, ...others }: Values = { ...begun, ...changed }
    const values = Object.entries({ ...others, ...dueChanges(falls_due_at) })
    const entries = values.filter(([, value]) => value !== null && value !== undefined)
    const custom = entries.flatMap(([key, value]) => (key.startsWith('cf.') ? [[key.slice(3), value]] : []))
    const body = {
      ...Object.fromEntries(entries.filter(([key]) => !key.startsWith('cf.'))),
      ...(custom.length > 0 ? { metadata: Object.fromEntries(custom) } : {}),
    }
    const record = await create.mutateAsync(body as never)
    close()
    toast(`Created ${nameOf(record)}`)
    onCreated?.(record)
  }
  const footer = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button variant="primary" type="submit" form="create" disabled={create.isPending}>
        Create
      </Button>
    </>
  )
  return (
    <Dialog isOpen={isOpen} onClose={close} title={`New ${kind}`} footer={footer}>
      <Form id="create" className="grid gap-3 min-[520px]:grid-cols-2" onSubmit={submit}>
        {[...shown, ...required].map((field, index) => (
          // another initial value begins anew: the pipelines may be read after the dialog has opened
          <Fragment key={`${field.key} ${begun[field.key]}`}>
            {field.type === 'money' ? (
              <MoneyControl
                field={field}
                initial={begun[field.key]}
                currency={String(changed.currency ?? begun.currency)}
                onChange={value => set(field.key, value)}
                onCurrency={currency => set('currency', currency)}
              />
            ) : (
              <FieldControl
                field={field}
                initial={begun[field.key]}
                autoFocus={index === 0}
                onChange={value => set(field.key, value)}
                {...(kind === 'contact' && field.key === 'email'
                  ? { hint: <SameAddress email={String(changed.email ?? '')} onOpen={close} /> }
                  : {})}
              />
            )}
          </Fragment>
        ))}
      </Form>
    </Dialog>
  )
}
