import { type Editor, useEditorState } from '@tiptap/react'
import {
  Bold,
  Code,
  Heading1,
  Heading2,
  Heading3,
  Italic,
  Link2,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  Redo2,
  SquareCode,
  Strikethrough,
  Undo2,
} from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { IconButton } from '#components/button.tsx'
import { Input } from '#components/input.tsx'
import { Popover } from '#components/popover.tsx'

interface Tool {
  label: string
  icon: LucideIcon
  isActive: (editor: Editor) => boolean
  run: (editor: Editor) => void
}

const heading = (level: 1 | 2 | 3, icon: LucideIcon): Tool => ({
  label: `Heading ${level}`,
  icon,
  isActive: editor => editor.isActive('heading', { level }),
  run: editor => editor.chain().focus().toggleHeading({ level }).run(),
})

/** A tool whose node or mark has this name. */
const tool = (
  label: string,
  icon: LucideIcon,
  name: string,
  run: (chain: ReturnType<Editor['chain']>) => { run: () => boolean },
): Tool => ({
  label,
  icon,
  isActive: editor => editor.isActive(name),
  run: editor => run(editor.chain().focus()).run(),
})

const TOOLS: readonly Tool[] = [
  tool('Bold', Bold, 'bold', chain => chain.toggleBold()),
  tool('Italic', Italic, 'italic', chain => chain.toggleItalic()),
  tool('Strike through', Strikethrough, 'strike', chain => chain.toggleStrike()),
  tool('Code', Code, 'code', chain => chain.toggleCode()),
  heading(1, Heading1),
  heading(2, Heading2),
  heading(3, Heading3),
  tool('Bullet list', List, 'bulletList', chain => chain.toggleBulletList()),
  tool('Numbered list', ListOrdered, 'orderedList', chain => chain.toggleOrderedList()),
  tool('Quote', Quote, 'blockquote', chain => chain.toggleBlockquote()),
  tool('Block of code', SquareCode, 'codeBlock', chain => chain.toggleCodeBlock()),
]

export function EditorToolbar({ editor }: { editor: Editor }) {
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => TOOLS.map(({ isActive }) => isActive(now)),
  })
  return (
    <div
      role="toolbar"
      aria-label="Format"
      className="sticky top-0 z-10 -mx-1.5 mb-2 flex flex-wrap gap-px border-b border-line bg-surface py-1"
    >
      {TOOLS.map(({ label, icon: Icon, run }, index) => (
        <IconButton
          key={label}
          label={label}
          aria-pressed={active[index] ?? false}
          onMouseDown={event => event.preventDefault()}
          onClick={() => run(editor)}
          className="aria-pressed:bg-active aria-pressed:text-ink"
        >
          <Icon size={14} />
        </IconButton>
      ))}
      <LinkTool editor={editor} />
      <IconButton label="Undo the last edit" onClick={() => editor.chain().focus().undo().run()}>
        <Undo2 size={14} />
      </IconButton>
      <IconButton label="Redo" onClick={() => editor.chain().focus().redo().run()}>
        <Redo2 size={14} />
      </IconButton>
    </div>
  )
}

function LinkTool({ editor }: { editor: Editor }) {
  const [isOpen, setOpen] = useState(false)
  const [address, setAddress] = useState('')
  const toggle = (open: boolean) => {
    if (open) setAddress(String(editor.getAttributes('link').href ?? ''))
    setOpen(open)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chain = editor.chain().focus().extendMarkRange('link')
    if (address.trim()) chain.setLink({ href: address.trim() }).run()
    else chain.unsetLink().run()
    setOpen(false)
  }
  const trigger = (
    <IconButton label="Link">
      <Link2 size={14} />
    </IconButton>
  )
  return (
    <Popover trigger={trigger} label="Link" isOpen={isOpen} onOpenChange={toggle} className="w-72 p-2">
      <form onSubmit={submit}>
        <Input
          aria-label="Address of the link"
          placeholder="https://, then Enter"
          value={address}
          autoFocus
          onChange={event => setAddress(event.target.value)}
        />
      </form>
    </Popover>
  )
}
