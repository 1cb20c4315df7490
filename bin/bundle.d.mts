export const ROOT: string
export function entryOf(root: string): string
export function stampOf(root: string): string
export function sourcesOf(root: string): string
export function currentBundle(root: string): string | undefined
