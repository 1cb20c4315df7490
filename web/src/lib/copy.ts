/** Copies a text. On a page without TLS, as in a local network, browsers have no `navigator.clipboard`. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // inside an open dialog, which does not let others have the focus
  const parent = document.activeElement?.parentElement ?? document.body
  parent.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('The browser does not allow copying. Select the text and copy it.')
}
