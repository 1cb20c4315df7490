/** `kith web`: the build of the web client, which `npm ci` runs. */
import { command } from './command.ts'

export const web = command({
  summary: 'builds the web client if its sources have changed',
  about: 'npm ci does this. The service does it too, when it starts with an older build.',
  options: { force: { type: 'boolean', about: 'also if nothing has changed' } },
  examples: ['kith web', 'kith web --force'],
  async run({ values }) {
    const { build, buildState, canBuild, INSTALLATION } = await import('../http/web/build.ts')
    const state = await buildState(INSTALLATION)
    if (!canBuild(INSTALLATION)) {
      console.log(
        state === 'current'
          ? 'The web client is built.'
          : 'The web client is not built: this needs its sources and the development dependencies (npm ci).',
      )
      return
    }
    if (state === 'current' && !values.force) return console.log('The web client is up to date.')
    const begun = performance.now()
    await build(INSTALLATION, 'inherit')
    console.log(`Built the web client in ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
  },
})
