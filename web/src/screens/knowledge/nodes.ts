/**
 * Blocks of pages that the starter kit lacks, with the names and attributes of the service. A node that the editor does
 * not know would be lost at the next save.
 */
import { Mark, mergeAttributes, Node } from '@tiptap/react'

const Highlight = Mark.create({
  name: 'highlight',
  parseHTML: () => [{ tag: 'mark' }],
  renderHTML: ({ HTMLAttributes }) => ['mark', HTMLAttributes, 0],
})

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]],
})

const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: ({ HTMLAttributes }) => ['tr', HTMLAttributes, 0],
})

const cell = (name: 'tableCell' | 'tableHeader', tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => ({ align: { default: null } }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes: { align, ...attributes } }) => [
      tag,
      mergeAttributes(attributes, align ? { 'data-align': String(align) } : {}),
      0,
    ],
  })

const Callout = Node.create({
  name: 'callout',
  group: 'block',
  content: 'block+',
  defining: true,
  addAttributes: () => ({ type: { default: 'note' } }),
  parseHTML: () => [{ tag: 'aside' }],
  renderHTML: ({ HTMLAttributes: { type, ...attributes } }) => [
    'aside',
    { ...attributes, 'data-callout': type },
    0,
  ],
})

/** Named rather than loaded: a picture of another host would tell it who reads the page. */
const Image = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  addAttributes: () => ({ src: { default: '' }, alt: { default: null }, title: { default: null } }),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML: ({ node: { attrs } }) => [
    'a',
    { href: String(attrs.src), target: '_blank', rel: 'noreferrer noopener', 'data-image': '' },
    `Image: ${attrs.alt || attrs.src}`,
  ],
})

const TaskList = Node.create({
  name: 'taskList',
  group: 'block list',
  content: 'taskItem+',
  parseHTML: () => [{ tag: 'ul[data-tasks]' }],
  renderHTML: ({ HTMLAttributes }) => ['ul', { ...HTMLAttributes, 'data-tasks': '' }, 0],
})

const TaskItem = Node.create({
  name: 'taskItem',
  content: 'paragraph block*',
  defining: true,
  addAttributes: () => ({ checked: { default: false } }),
  parseHTML: () => [{ tag: 'ul[data-tasks] > li' }],
  renderHTML: ({ HTMLAttributes: { checked: _checked, ...attributes } }) => ['li', attributes, 0],
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) }
  },
  addNodeView() {
    return ({ node, getPos, editor }) => {
      const item = document.createElement('li')
      const box = document.createElement('input')
      const text = document.createElement('div')
      box.type = 'checkbox'
      box.checked = node.attrs.checked === true
      box.ariaLabel = 'Done'
      box.disabled = !editor.isEditable
      box.addEventListener('change', () => {
        const position = getPos()
        if (position === undefined) return
        editor.view.dispatch(editor.state.tr.setNodeAttribute(position, 'checked', box.checked))
      })
      item.append(box, text)
      return {
        dom: item,
        contentDOM: text,
        ignoreMutation: mutation => !text.contains(mutation.target),
        update: next => {
          if (next.type !== node.type) return false
          box.checked = next.attrs.checked === true
          return true
        },
      }
    }
  },
})

export const pageNodes = [
  ...[Highlight, Table, TableRow, cell('tableCell', 'td'), cell('tableHeader', 'th')],
  ...[Callout, Image, TaskList, TaskItem],
]
