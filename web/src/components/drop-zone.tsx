import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { classes } from '#lib/classes.ts'

interface DropZoneProps {
  /** for screen readers: `Files` */
  label: string
  /** as the `accept` of an input: `.csv,.xlsx` */
  accept?: string
  isMultiple?: boolean
  onFiles: (files: File[]) => void
  /** `choose` opens the dialog of the browser */
  children: (choose: () => void) => ReactNode
  className?: string
}

/** An area to drop files on. */
export function DropZone({ label, accept, isMultiple, onFiles, children, className }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    if (files && files.length > 0) onFiles(isMultiple ? [...files] : [...files].slice(0, 1))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    <section
      aria-label={label}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={drop}
      className={classes(className, isOver && 'bg-accent-soft outline-2 outline-accent outline-dashed')}
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label} to upload`}
        {...(accept ? { accept } : {})}
        multiple={isMultiple ?? false}
        onChange={event => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      {children(() => input.current?.click())}
    </section>
  )
}
