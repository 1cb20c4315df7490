/** Saves content as a file. A plain link would be requested without the token of the session. */
export function saveFile(content: Blob | string, name: string): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
