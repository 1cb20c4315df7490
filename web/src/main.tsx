import './styles.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from '#app/router.tsx'
import { applyTheme, currentTheme } from '#app/theme.ts'
import { Toasts } from '#components/toast.tsx'
import { queryClient } from '#data/client.ts'

applyTheme(currentTheme())

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {/* the service's Content-Security-Policy allows no style elements */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
