/** The text of a page as blocks. Tiptap is loaded with this file, when the first page is opened. */
import { EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect } from 'react'
import { EditorToolbar } from './editor-toolbar.tsx'
import { pageNodes } from './nodes.ts'
import type { Content } from './page-saver.ts'
import './editor.css'

interface EditorProps {
  content: Content | null
  /** shown for pages of another editor, whose blocks have another form */
  markdown: string
  isEditable: boolean
  onChange: (content: Content) => void
  /** the person leaves the text or presses Ctrl S */
  onLeave: () => void
}

const extensions = [
  StarterKit.configure({
    link: { openOnClick: false, defaultProtocol: 'https', HTMLAttributes: { rel: 'noreferrer noopener' } },
  }),
  ...pageNodes,
]

/** Blocks of BlockNote and Editor.js are shown as their markdown; writing there turns them into blocks of this editor. */
const contentOf = (content: Content | null, markdown: string): Content =>
  content?.type === 'doc' || !markdown
    ? (content ?? { type: 'doc', content: [] })
    : {
        type: 'doc',
        content: markdown
          .split(/\n{2,}/)
          .map(text => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
      }

export default function Editor({ content, markdown, isEditable, onChange, onLeave }: EditorProps) {
  const editor = useEditor({
    extensions,
    content: contentOf(content, markdown),
    editable: isEditable,
    injectCSS: false,
    editorProps: {
      attributes: { 'aria-label': 'Text of the page', role: 'textbox', 'aria-multiline': 'true' },
      handleKeyDown: (_view, event) => {
        if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return false
        event.preventDefault()
        onLeave()
        return true
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.getJSON()),
    onBlur: onLeave,
  })
  useEffect(() => {
    // what another person wrote, or an older revision that was restored
    if (!editor || editor.isDestroyed) return
    const next = editor.schema.nodeFromJSON(contentOf(content, markdown))
    if (next.eq(editor.state.doc)) return
    const { from, to } = editor.state.selection
    editor.commands.setContent(next, { emitUpdate: false })
    if (editor.isFocused) editor.commands.setTextSelection({ from, to })
  }, [editor, content, markdown])
  return (
    <div className="page-text">
      {isEditable && <EditorToolbar editor={editor} />}
      <EditorContent editor={editor} />
    </div>
  )
}
