export type Log = Pick<import('pino').Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>
