/** All addresses of the client. A screen reads its parameters with `useParams` and `useSearch` (web/README.md). */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { ScreenSkeleton } from '#components/skeleton.tsx'
import { currentSession, refresh } from '#data/session.ts'
import { manageFocus } from '#lib/focus.ts'
import { Failure } from './failure.tsx'
import NotFound from './not-found.tsx'
import { hasScreen, type ScreenName, screen } from './screens.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

/** Pages for people who are not signed in. */
const anonymous = <const P extends string>(path: P, load: () => Promise<{ default: ComponentType }>) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ location }) => {
    if (currentSession() || (await refresh())) return
    throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  component: lazyRouteComponent(() => import('./shell.tsx')),
})

/** The parameters of the address that a screen does not declare more exactly. */
const anySearch = (search: Record<string, unknown>) => search

const route = <const P extends string>(path: P, name: ScreenName) =>
  createRoute({ getParentRoute: () => app, path, component: screen(name), validateSearch: anySearch })

/** The groups of records that have lists and pages of their own. */
export const LIST_GROUPS = ['contacts', 'companies', 'deals', 'activities', 'products'] as const
export type ListGroupName = (typeof LIST_GROUPS)[number]

const checkGroup = ({ params }: { params: { group: string } }) => {
  if (!LIST_GROUPS.some(group => group === params.group)) throw notFound()
}

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: () => {
    if (hasScreen('today')) throw redirect({ to: '/today' })
    throw redirect({ to: '/$group', params: { group: 'contacts' } })
  },
})

const lists = createRoute({
  getParentRoute: () => app,
  path: '/$group',
  beforeLoad: checkGroup,
  validateSearch: anySearch,
  component: screen('lists'),
})

const record = createRoute({
  getParentRoute: () => app,
  path: '/$group/$id',
  beforeLoad: checkGroup,
  validateSearch: anySearch,
  component: screen('record'),
})

const tree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
      typeof next === 'string' ? { next } : {},
    component: lazyRouteComponent(() => import('./sign-in.tsx')),
  }),
  anonymous('/setup', () => import('./setup.tsx')),
  anonymous('/invitation', () => import('./invitation.tsx')),
  anonymous('/confirm-email', () => import('./confirm-email.tsx')),
  anonymous('/forgot-password', () => import('./forgot-password.tsx')),
  anonymous('/reset-password', () => import('./reset-password.tsx')),
  app.addChildren([
    home,
    lists,
    record,
    route('/board', 'board'),
    route('/today', 'today'),
    route('/imports', 'imports'),
    route('/imports/$id', 'imports'),
    route('/ask', 'ask'),
    route('/ask/$id', 'ask'),
    route('/knowledge', 'knowledge'),
    route('/knowledge/$id', 'knowledge'),
    route('/mail', 'mail'),
    route('/mail/$id', 'mail'),
    route('/recordings', 'recordings'),
    route('/recordings/$id', 'recordings'),
    route('/dashboard', 'dashboard'),
    route('/duplicates', 'duplicates'),
    route('/trash', 'trash'),
    route('/settings', 'settings'),
    route('/settings/$section', 'settings'),
  ]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  defaultPendingComponent: ScreenSkeleton,
  defaultPendingMs: 150,
  defaultErrorComponent: Failure,
})
manageFocus(router)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
