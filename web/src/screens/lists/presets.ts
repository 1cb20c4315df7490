/** Days relative to today, as the Query names them. */
export const PRESETS = [
  { value: 'today', label: 'today' },
  { value: 'today-7', label: '7 days ago' },
  { value: 'today-30', label: '30 days ago' },
  { value: 'today-90', label: '90 days ago' },
  { value: 'week', label: 'the start of this week' },
  { value: 'month', label: 'the start of this month' },
  { value: 'quarter', label: 'the start of this quarter' },
  { value: 'year', label: 'the start of this year' },
  { value: 'today+7', label: 'in 7 days' },
  { value: 'today+30', label: 'in 30 days' },
] as const

export const presetLabel = (value: string): string | undefined =>
  PRESETS.find(preset => preset.value === value)?.label
