/** Import: a file becomes records, with a look at what it would do first, and a way back. */
import { useParams } from '@tanstack/react-router'
import { ImportPage } from './import-page.tsx'
import { Start } from './start.tsx'

export default function Imports() {
  const { id } = useParams({ strict: false })
  return id ? <ImportPage key={id} id={id} /> : <Start />
}
