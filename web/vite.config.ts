import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Whatever NODE_ENV is around the build, such as `test`: with another one React is half as large again. */
process.env.NODE_ENV = process.argv.includes('build') ? 'production' : 'development'

export default defineConfig({
  root: path('.'),
  plugins: [react(), tailwindcss()],
  resolve: { alias: { '@kith/client': path('../clients/typescript/src/index.ts') } },
  build: {
    target: 'es2023',
    // an inlined data: address would need a wider Content-Security-Policy
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every screen needs, in few files: in 30 small ones it compresses worse, by 13 of 202 kB.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!.*virtual)[^/]*)\//,
            },
            {
              name: 'popups',
              test: /@floating-ui\/|@base-ui\/utils\/|@base-ui\/react\/(menu|popover|toast|button)\//,
            },
            // Icons of several screens: a list then needs 39 files of 194 kB instead of 61 of 198 kB.
            { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    port: Number(process.env.WEB_PORT ?? 5173),
    // the service compares Origin with Host, so the host stays
    proxy: { '/api': { target: process.env.KITH_URL ?? 'http://127.0.0.1:8000', changeOrigin: false } },
  },
})
