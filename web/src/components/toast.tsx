/** Messages at the bottom right that go away by themselves; `toast` can be called from anywhere. */
import { Toast } from '@base-ui/react/toast'
import { CircleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#data/client.ts'
import { classes } from '#lib/classes.ts'

const manager = Toast.createToastManager()

interface Action {
  label: string
  run: () => void
}

type Options = Omit<Parameters<typeof manager.add>[0], 'description' | 'actionProps'>

/** Returns what takes the message away. */
function show(description: string, options: Options, action: Action | undefined): () => void {
  const id = manager.add({
    description,
    ...options,
    ...(action
      ? {
          actionProps: {
            children: action.label,
            onClick: () => {
              manager.close(id)
              action.run()
            },
          },
        }
      : {}),
  })
  return () => manager.close(id)
}

/** With an action it stays for ten seconds, so that there is time to read it and decide. */
export function toast(message: string, action?: Action): () => void {
  return show(message, { timeout: action ? 10_000 : 4000 }, action)
}

export const showError = (error: unknown): void => showRefusal(error, undefined)

/**
 * An error after which the person can do something, such as edit again. None has a high priority: Base UI hides such a
 * message from screen readers, with its buttons, and reads a copy of it out.
 */
export function showRefusal(error: unknown, action: Action | undefined): void {
  show(messageOf(error), { type: 'error', timeout: action ? 15_000 : 8000 }, action)
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-3 bottom-3 z-60 flex w-[min(400px,calc(100vw-24px))] flex-col-reverse items-end gap-2 max-[719px]:bottom-16">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

/** About four lines, which do not cover the rows below them. */
const LONG = 200

/** A long text, such as one with a name of 200 letters, is cut until the person asks for the rest. */
function Description({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(text.length <= LONG)
  return (
    <Toast.Description className="max-h-[50vh] min-w-0 overflow-y-auto py-0.5 break-words">
      {isWhole ? text : `${text.slice(0, LONG).trimEnd()}… `}
      {!isWhole && (
        <button type="button" onClick={() => setWhole(true)} className="text-accent-text hover:underline">
          Show all
        </button>
      )}
    </Toast.Description>
  )
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map(item => (
    <Toast.Root
      key={item.id}
      toast={item}
      aria-label="Message"
      data-toast
      className={classes(
        'w-fit max-w-full rounded-lg bg-raised shadow-float transition-[opacity,translate] duration-200 ease-out',
        'data-ending-style:translate-y-1 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0',
        'data-limited:hidden',
      )}
    >
      <Toast.Content className="flex items-center gap-2 py-2 pr-2 pl-3">
        {item.type === 'error' && <CircleAlert size={16} className="shrink-0 text-bad" />}
        <Description text={String(item.description ?? '')} />
        <Toast.Action className="shrink-0 rounded-md px-2 py-1 font-medium text-accent-text hover:bg-hover" />
        {/* Base UI hides it from screen readers while messages are a stack; here each is always shown as a whole */}
        <Toast.Close
          aria-label="Dismiss"
          aria-hidden={false}
          className="shrink-0 rounded-md p-1 text-ink-3 hover:bg-hover"
        >
          <X size={14} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
