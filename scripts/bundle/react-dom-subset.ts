/**
 * What this portal never asks of React DOM, as facts that its code can be folded by. React decides about these features
 * while it runs, so no bundler can see that they are dead. See docs/decisions/0012-the-first-load.md.
 *
 * A fact that is broken fails loudly: the build has no such export, React refuses a kind of fibre it does not know
 * (its error 156), and the constructors below throw.
 */
export interface Facts {
  /** Of the React DOM they were read from: another one is to be read again. */
  readonly version: string
  /** Variables of the module that never take another value. */
  readonly constants: Readonly<Record<string, string>>
  /** Properties that never hold another value, by name or as written. */
  readonly properties: Readonly<Record<string, string>>
  /** Kinds of fibre (ReactWorkTags) that are never made. */
  readonly tags: ReadonlySet<number>
  /** Functions by what their body becomes. */
  readonly bodies: Readonly<Record<string, string>>
  /** Properties that are set once and never read, by how what sets them begins. */
  readonly unread: readonly string[]
}

const NOTHING = '{}'
const REFUSE = '{ throw Error("left out of this build: docs/decisions/0012") }'
const bodies = (body: string, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, body]))

/** What cannot be imported because of them, by package. */
export const ABSENT: Readonly<Record<string, readonly string[]>> = {
  react: ['Activity', 'ViewTransition', 'addTransitionType', 'useActionState'],
  'react-dom': [
    'useFormState',
    'useFormStatus',
    'prefetchDNS',
    'preconnect',
    'preload',
    'preloadModule',
    'preinit',
    'preinitModule',
  ],
  'react-dom-client': ['hydrateRoot'],
}

export const FACTS: Facts = {
  version: '19.3.1',
  constants: {
    // Nothing is rendered on the server, so there is nothing to hydrate.
    isHydrating: '!1',
    hydrationParentFiber: 'null',
    nextHydratableInstance: 'null',
    hydrationErrors: 'null',
    // The router starts view transitions itself; React's <ViewTransition> is not used.
    shouldStartViewTransition: '!1',
    appearingViewTransitions: 'null',
    inUpdateViewTransition: '!1',
    pendingViewTransition: 'null',
    pendingViewTransitionEvents: 'null',
  },
  properties: {
    dehydrated: 'null',
    isDehydrated: '!1',
    // Of a scheduler for tests.
    'Scheduler.log': 'null',
    'Scheduler.unstable_setDisableYieldValue': 'null',
  },
  tags: new Set([
    18, // a boundary that the server rendered
    19, // <SuspenseList>
    26, // what React lifts into the head: <title>, <meta>, <link>, <style precedence>
    27, // <html>, <head>, <body>
    30, // <ViewTransition>
    31, // <Activity>
  ]),
  bodies: {
    ...bodies('{ return !1 }', 'popHydrationState', 'isFragmentInstanceParent'),
    // Outside of drawings, which have titles of their own.
    ...bodies('{ return 1 !== hostContext && ("title" === type || "meta" === type) }', 'isHostHoistableType'),
    ...bodies('{ return null }', 'getParentHydrationBoundary', 'upgradeHydrationErrorsToRecoverable'),
    ...bodies(
      NOTHING,
      // Events that wait for what they concern to be hydrated.
      'clearIfContinuousEvent',
      'commitSuspenseHydrationCallbacks',
      'retryIfBlockedOn',
      'trackEnterViewTransitions',
      'commitEnterViewTransitions',
      'commitExitViewTransitions',
      'commitNestedViewTransitions',
      'restoreEnterOrExitViewTransitions',
      'restoreNestedViewTransitions',
      // Refs of fragments.
      'commitNewChildToFragmentInstances',
      'commitFragmentInstanceInsertionEffects',
      'commitFragmentInstanceDeletionEffects',
      // preload(), preinit(), preconnect() and the like.
      'prefetchDNS',
      'preconnect',
      'preload',
      'preloadModule',
      'preinitScript',
      'preinitStyle',
      'preinitModuleScript',
    ),
    dispatchEvent: `{
      if (!_enabled) return;
      findInstanceBlockingEvent(nativeEvent);
      dispatchEventForPluginEventSystem(domEventName, eventSystemFlags, nativeEvent, return_targetInst, targetContainer)
    }`,
    // Only within <ViewTransition> does a commit wait for pictures and sheets of style.
    ...bodies('{ workInProgress.flags &= -16777217 }', 'preloadInstanceAndSuspendIfNeeded'),
    ...bodies(NOTHING, 'accumulateSuspenseyCommitOnFiber', 'onUnsuspend'),
    ...bodies('{ return null }', 'waitForCommitToBeReady'),
    // <form action={…}>: forms here are `Form`'s, whose functions get checked values and may refuse fields.
    ...bodies(NOTHING, 'extractEvents$1'),
    ...bodies(
      REFUSE,
      'mountActionState',
      'updateActionState',
      'rerenderActionState',
      'FragmentInstance',
      'ReactDOMHydrationRoot',
      'prepareToHydrateHostInstance',
      'retryDehydratedSuspenseBoundary',
      'throwOnHydrationMismatch',
      'updateDehydratedSuspenseComponent',
    ),
  },
  unread: [
    'FragmentInstance.prototype.',
    'ReactDOMHydrationRoot.prototype.',
    'ViewTransitionPseudoElement.prototype.',
    // Of tools for tests.
    'ReactDOMSharedInternals.findDOMNode',
  ],
}
