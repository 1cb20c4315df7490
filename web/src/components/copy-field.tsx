import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '#lib/copy.ts'
import { IconButton } from './button.tsx'
import { showError } from './toast.tsx'

/** A text to copy, such as a key. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <div>
      <div className="mb-1 text-xs font-medium text-ink-2">{label}</div>
      <div className="flex items-start gap-1 rounded-md border border-line bg-sunken p-1 pl-2">
        <code className="min-w-0 flex-1 py-1 font-mono text-xs break-all">{text}</code>
        <IconButton label={`Copy: ${label}`} onClick={() => void copy().catch(showError)}>
          {isCopied ? <Check size={14} className="text-good" /> : <Copy size={14} />}
        </IconButton>
      </div>
    </div>
  )
}
