/** The text of a mail, to write or to read. What the editor does not know, such as scripts, is left out. */
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect } from 'react'
import { classes } from '#lib/classes.ts'

const TEXT =
  'break-words whitespace-pre-wrap outline-none [&_a]:text-accent-text [&_a]:underline [&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-3 [&_h1]:text-xl [&_h1]:font-semibold [&_h2]:text-lg [&_h2]:font-semibold [&_h3]:font-semibold [&_ol]:list-decimal [&_ol]:pl-5 [&_p]:my-2 [&_ul]:list-disc [&_ul]:pl-5'

const extensions = [StarterKit.configure({ link: { openOnClick: false } })]

const attributes = (label: string, className?: string) => ({
  'aria-label': label,
  class: classes(TEXT, className),
})

interface RichTextProps {
  label: string
  html: string
  onChange: (html: string) => void
  /** for buttons that write into the text */
  onReady: (editor: Editor) => void
}

export function RichText({ label, html, onChange, onReady }: RichTextProps) {
  const editor = useEditor({
    extensions,
    injectCSS: false,
    content: html,
    editorProps: {
      attributes: { ...attributes(label, 'min-h-56'), role: 'textbox', 'aria-multiline': 'true' },
    },
    onCreate: ({ editor: created }) => onReady(created),
    onUpdate: ({ editor: current }) => onChange(current.getHTML()),
  })
  useEffect(() => {
    // a template replaces the text; what the person types is in the editor already
    if (editor && html !== editor.getHTML() && !editor.isFocused) {
      editor.commands.setContent(html, { emitUpdate: false })
    }
  }, [editor, html])
  return <EditorContent editor={editor} />
}

export function RichTextView({ label, html }: { label: string; html: string }) {
  const editor = useEditor({
    extensions,
    injectCSS: false,
    editable: false,
    content: html,
    editorProps: { attributes: { ...attributes(label), role: 'document' } },
  })
  useEffect(() => {
    editor?.commands.setContent(html, { emitUpdate: false })
  }, [editor, html])
  return <EditorContent editor={editor} />
}
